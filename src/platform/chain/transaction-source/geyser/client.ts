import { fileURLToPath } from 'node:url';
import { AppError } from '../../../../core/errors/app-error.ts';

/** The request to a stream: the names of `geyser.proto`. A later request takes the place of the one before. */
export type GeyserRequest = {
  readonly transactions: Readonly<
    Record<string, { readonly vote: boolean; readonly accountInclude: readonly string[] }>
  >;
  readonly blocksMeta: Readonly<Record<string, object>>;
  readonly commitment: 'CONFIRMED';
  readonly ping?: { readonly id: number };
  readonly fromSlot?: string;
};

export type GeyserStream = {
  on(event: 'data' | 'error' | 'end', told: (told: unknown) => void): unknown;
  write(request: GeyserRequest): unknown;
  /** Ends the stream and its connection. */
  destroy(): void;
};

export type GeyserServer = { readonly url: string; readonly token: string | null };
export type OpenGeyser = (server: GeyserServer) => GeyserStream;

/** gRPC as it is installed, or a rejection. */
export type LoadGrpc = () => Promise<
  readonly [grpc: typeof import('@grpc/grpc-js'), loader: typeof import('@grpc/proto-loader')]
>;

const INSTALL = 'npm install --no-save @grpc/grpc-js@1.14.7 @grpc/proto-loader@0.8.1';
const PROTO = fileURLToPath(new URL('./geyser.proto', import.meta.url));
const FORM = { longs: String, enums: String, defaults: true, arrays: true, objects: true };
const OPTIONS = {
  // One transaction with its logs; the default of 4 MB is near the size that a server may put together.
  'grpc.max_receive_message_length': 32 * 1_024 * 1_024,
  'grpc.keepalive_time_ms': 10_000,
};

const installed: LoadGrpc = () => Promise.all([import('@grpc/grpc-js'), import('@grpc/proto-loader')]);

/**
 * How streams are opened. gRPC is not part of the install, because no other part needs it: throws CONFIG_INVALID with the mend where it is
 * not there. Nothing is connected yet.
 */
export async function loadGeyser(load: LoadGrpc = installed): Promise<OpenGeyser> {
  const [grpc, loader] = await load().catch((cause: unknown) => {
    const problem = `GEYSER_URL: gRPC is not installed. Run "${INSTALL}", or leave GEYSER_URL empty`;
    throw new AppError('CONFIG_INVALID', { problems: [problem] }, { cause });
  });
  const method = loader.loadSync(PROTO, FORM)['geyser.Geyser']?.['Subscribe'];
  if (method === undefined) throw new RangeError('geyser.proto has no method to subscribe with');
  return ({ url, token }) => {
    const { host, hostname, protocol } = new URL(url);
    const isPlain = protocol === 'http:';
    const credentials = isPlain ? grpc.credentials.createInsecure() : grpc.credentials.createSsl();
    const address = host === hostname ? `${hostname}:${isPlain ? 80 : 443}` : host;
    const client = new grpc.Client(address, credentials, OPTIONS);
    const metadata = new grpc.Metadata();
    if (token !== null) metadata.set('x-token', token);
    const { path, requestSerialize, responseDeserialize } = method;
    const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
    return {
      on: (event, told) => stream.on(event, told),
      write: (request) => stream.write(request),
      destroy: () => {
        stream.cancel();
        client.close();
      },
    };
  };
}
