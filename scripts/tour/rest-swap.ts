import { generateKeyPairSync, sign } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { addressFromBytes, fromBase58 } from '../../src/core/address/address.ts';

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
  /** Signs what the API returned and submits it; resolves with the signature when it is confirmed. */
  readonly swap: (
    order: Readonly<Record<string, string | number>>,
  ) => Promise<{ readonly data: SwapData; readonly signature: string }>;
};

export async function createRestTrader(
  urls: { readonly rpcUrl: string; readonly openApiUrl: string },
  lamports: bigint,
): Promise<RestTrader> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
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
    swap: async (order) => {
      const answer = await postJson(`${urls.openApiUrl}/dex/swap`, { userWalletAddress: address, ...order });
      const { data } = answer as { readonly data?: SwapData };
      if (data === undefined) throw new Error(`POST /dex/swap: ${JSON.stringify(answer)}`);
      const wire = Buffer.from(fromBase58(data.tx) ?? new Uint8Array());
      // Fewer than 128 signatures: their count is one byte. The payer's comes first.
      const message = wire.subarray(1 + 64 * (wire[0] ?? 0));
      sign(null, message, privateKey).copy(wire, 1);
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

async function postJson(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}
