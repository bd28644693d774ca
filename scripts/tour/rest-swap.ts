import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { addressFromBytes, fromBase58 } from '@tradepost/solana';
import { createChainReader } from './chain-reader.ts';

const MOST_TRIES = 5;
const AGAIN_MS = 1_000;

type SwapData = {
  readonly tx: string;
  readonly toTokenAmount: string;
  readonly minReceiveAmount: string;
  readonly bestRouter: {
    readonly subRouters: readonly { readonly protocol: readonly { name: string; percent: string }[] }[];
  };
};

/** A program that trades by REST: its own key, plain HTTP, nothing of ours but base58. */
export type RestTrader = {
  readonly address: string;
  /** Units of `mint` in its accounts. */
  readonly held: (mint: string) => Promise<bigint>;
  /** Units that `amount` would bring now, after all fees. */
  readonly quote: (from: string, to: string, amount: bigint) => Promise<bigint>;
  /** Signs the API's transaction and submits it; resolves with the signature when it is confirmed. */
  readonly swap: (
    order: Readonly<Record<string, string | number>>,
  ) => Promise<{ readonly data: SwapData; readonly signature: string }>;
};

/** Asks the faucet for `lamports` first. Its key is new where none is given. */
export async function createRestTrader(
  urls: { readonly rpcUrl: string; readonly openApiUrl: string },
  lamports: bigint,
  privateKey: KeyObject = generateKeyPairSync('ed25519').privateKey,
): Promise<RestTrader> {
  const raw = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  const address = addressFromBytes(new Uint8Array(raw));
  const rpc = async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    const body = await postJson(urls.rpcUrl, { jsonrpc: '2.0', id: 1, method, params });
    const { result, error } = body as { readonly result?: T; readonly error?: { readonly message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result as T;
  };
  const confirmed = async (signature: string): Promise<void> => {
    for (;;) {
      const { value } = await rpc<{ value: ({ confirmationStatus: string; err: unknown } | null)[] }>(
        'getSignatureStatuses',
        [[signature]],
      );
      const [status] = value;
      if (status?.err) throw new Error(`${signature} failed: ${JSON.stringify(status.err)}`);
      if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') return;
      await pause(50);
    }
  };
  await confirmed(await rpc<string>('requestAirdrop', [address, Number(lamports)]));
  return {
    address,
    held: (mint) => createChainReader(urls.rpcUrl).tokens(address, mint),
    quote: async (fromTokenAddress, toTokenAddress, amount) => {
      const query = new URLSearchParams({ fromTokenAddress, toTokenAddress, amount: String(amount) });
      const response = await patiently(() => fetch(`${urls.openApiUrl}/dex/quote?${query}`));
      const answer = (await response.json()) as { readonly data?: { readonly toTokenAmount: string } };
      if (answer.data === undefined) throw new Error(`GET /dex/quote: ${JSON.stringify(answer)}`);
      return BigInt(answer.data.toTokenAmount);
    },
    swap: async (order) => {
      const body = { userWalletAddress: address, ...order };
      const answer = await untilSettled(() => postJson(`${urls.openApiUrl}/dex/swap`, body));
      const { data } = answer as { readonly data?: SwapData };
      if (data === undefined) throw new Error(`POST /dex/swap: ${JSON.stringify(answer)}`);
      const wire = Buffer.from(fromBase58(data.tx) ?? new Uint8Array());
      signInPlace(wire, privateKey);
      const signature = await rpc<string>('sendTransaction', [
        wire.toString('base64'),
        {
          encoding: 'base64',
          // The blockhash is a confirmed one: a node's preflight against finalized state would not know it yet.
          preflightCommitment: 'confirmed',
        },
      ]);
      await confirmed(signature);
      return { data, signature };
    },
  };
}

/** Puts the payer's signature, which is the first one, into the transaction: behind the message in version 1, else before it. */
function signInPlace(wire: Buffer, privateKey: KeyObject): void {
  const isVersion1 = wire[0] === 0x81;
  const at = isVersion1 ? wire.length - 64 * (wire[1] ?? 0) : 1;
  // Fewer than 128 signatures: their count is one byte.
  const message = isVersion1 ? wire.subarray(0, at) : wire.subarray(1 + 64 * (wire[0] ?? 0));
  sign(null, message, privateKey).copy(wire, at);
}

async function postJson(url: string, body: unknown): Promise<unknown> {
  const response = await patiently(() =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  return response.json();
}

/** Asks again as often as the answer says that it came too soon. */
async function patiently(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await ask();
    if (response.status !== 429) return response;
    await pause(1_000 * Number(response.headers.get('retry-after') ?? '1'));
  }
}

/** Asks again where the answer says that nothing happened and that it may be asked again, as a client should. */
async function untilSettled(ask: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    const { error } = answer as { readonly error?: { readonly retryable?: boolean } };
    if (error?.retryable !== true || tries === MOST_TRIES) return answer;
    await pause(AGAIN_MS);
  }
}
