/** The parts of the optional packages that are used. They are no dependencies: an operator who wants a stream installs them. */
declare module '@grpc/grpc-js' {
  export class Client {
    constructor(host: string, credentials: object, options: object);
    makeBidiStreamRequest(
      path: string,
      write: unknown,
      read: unknown,
      metadata: Metadata,
    ): {
      on(event: string, told: (told: unknown) => void): unknown;
      write(request: object): unknown;
      cancel(): void;
    };
    close(): void;
  }
  export class Metadata {
    set(name: string, value: string): void;
  }
  export const credentials: { createSsl(): object; createInsecure(): object };
}

declare module '@grpc/proto-loader' {
  type Method = {
    readonly path: string;
    readonly requestSerialize: unknown;
    readonly responseDeserialize: unknown;
  };
  export function loadSync(
    path: string,
    form: object,
  ): Readonly<Record<string, Readonly<Record<string, Method>>>>;
}
