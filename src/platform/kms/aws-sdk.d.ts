/** The part of the optional package that is used. It is not a dependency: an operator who wants AWS KMS installs it. */
declare module '@aws-sdk/client-kms' {
  export class KMSClient {
    constructor(options: { readonly region: string; readonly maxAttempts?: number });
    send(command: EncryptCommand): Promise<{ readonly CiphertextBlob?: Uint8Array }>;
    send(command: DecryptCommand): Promise<{ readonly Plaintext?: Uint8Array }>;
  }
  export class EncryptCommand {
    readonly encrypt: true;
    constructor(input: object);
  }
  export class DecryptCommand {
    readonly decrypt: true;
    constructor(input: object);
  }
}
