import { type Address, fromBase58, isAddress, MAX_U64 } from '@tradepost/solana';
import { z } from 'zod';
import { AppError } from '../../../core/errors/app-error.ts';
import { createHttpPost, HttpStatusError } from '../../http-post.ts';

const TIMEOUT_MS = 5_000;

const addressText = z.string().refine(isAddress, 'expected a base58 address');
const units = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt)
  .refine((value) => value <= MAX_U64, 'expected a u64');

const poolRecord = z.object({
  id: addressText,
  desk: z.string().min(1).max(32),
  kind: z.enum(['constant-product', 'launch-curve']),
  mintA: addressText,
  mintB: addressText,
  vaultA: addressText,
  vaultB: addressText,
  programA: addressText,
  programB: addressText,
  decimalsA: z.int().min(0).max(255),
  decimalsB: z.int().min(0).max(255),
  feeBps: z.int().min(0).max(9_999),
  virtualA: units,
  virtualB: units,
});
const poolsAnswer = z.object({ demonstration: z.literal(true), pools: z.array(poolRecord) });
const launchTerms = z.object({
  demonstration: z.literal(true),
  feeBps: z.int().min(0).max(9_999),
  virtualThousandths: units,
  virtualLamports: units,
  graduationLamports: units,
});
const launchAnswer = launchTerms.extend({ maker: addressText });
const signaturesAnswer = z.object({
  signatures: z.array(z.object({ address: addressText, signature: z.string() })),
});
const refusalAnswer = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.object({ maxOut: units.optional(), amountOut: units.optional() }).optional(),
  }),
});

export type DeskPoolRecord = Readonly<z.infer<typeof poolRecord>>;

/** The curve that every launch at the desk gets. */
export type DeskLaunchTerms = Readonly<z.infer<typeof launchTerms>>;

/** The demonstration exchange's endpoints. Throws CHAIN_UNREACHABLE when it does not answer as itself. */
export interface DeskClient {
  pools(): Promise<readonly DeskPoolRecord[]>;
  /** The makers' signatures of a swap. PRICE_MOVED when a pool no longer gives the amount that the message takes. */
  coSign(message: Uint8Array): Promise<ReadonlyMap<Address, Uint8Array>>;
  launchTerms(): Promise<DeskLaunchTerms>;
  /** Names the maker whose two accounts will be the mint's curve; from then on the desk lists it. */
  launch(mint: Address): Promise<Readonly<z.infer<typeof launchAnswer>>>;
}

export function createDeskClient(deskUrl: string): DeskClient {
  const { host } = new URL(deskUrl);
  const ask = async (path: string, init?: RequestInit): Promise<{ status: number; body: unknown }> => {
    try {
      const response = await fetch(`${deskUrl}${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
      return { status: response.status, body: await response.json() };
    } catch (cause) {
      throw new AppError('CHAIN_UNREACHABLE', { endpoint: host, cause: 'desk' }, { cause });
    }
  };
  // Every swap over the desk asks for a signature: `fetch` would take longer than the maker takes to sign.
  const postCoSign = createHttpPost(`${deskUrl}/cosign`, TIMEOUT_MS, { readsRefusals: true });
  const notItself = (cause: unknown) =>
    new AppError('CHAIN_UNREACHABLE', { endpoint: host, cause: 'unexpected desk answer' }, { cause });

  return {
    pools: async () => {
      const { body } = await ask('/pools');
      const answer = poolsAnswer.safeParse(body);
      if (!answer.success) throw notItself(answer.error);
      return answer.data.pools;
    },

    coSign: async (message) => {
      const text = await postCoSign(
        JSON.stringify({ message: Buffer.from(message).toString('base64') }),
      ).catch((cause: unknown) => {
        if (cause instanceof HttpStatusError) throw refusal(cause.status, parsed(cause.body));
        throw new AppError('CHAIN_UNREACHABLE', { endpoint: host, cause: 'desk' }, { cause });
      });
      const body = parsed(text);
      const answer = signaturesAnswer.safeParse(body);
      if (!answer.success) throw notItself(answer.error);
      return new Map(answer.data.signatures.map((one) => [one.address, signatureBytes(one.signature)]));
    },

    launchTerms: async () => {
      const { body } = await ask('/launch');
      const answer = launchTerms.safeParse(body);
      if (!answer.success) throw notItself(answer.error);
      return answer.data;
    },

    launch: async (mint) => {
      const { status, body } = await ask('/launch', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ mint }),
      });
      if (status !== 200) throw refusal(status, body);
      const answer = launchAnswer.safeParse(body);
      if (!answer.success) throw notItself(answer.error);
      return answer.data;
    },
  };
}

/** Undefined, which no answer is, for a text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function signatureBytes(text: string): Uint8Array {
  const bytes = fromBase58(text);
  if (bytes?.length !== 64) throw new Error('the desk answered with something that is not a signature');
  return bytes;
}

/** A moved price is news for the trader; every other refusal means that we built the message wrongly. */
function refusal(status: number, body: unknown): Error {
  const answer = refusalAnswer.safeParse(body);
  if (!answer.success) return new Error(`the desk refused with status ${status}`);
  const { code, message, details } = answer.data.error;
  if (code === 'PRICE_MOVED') {
    return new AppError('PRICE_MOVED', { minOut: details?.amountOut ?? 0n, got: details?.maxOut ?? 0n });
  }
  return new Error(`the desk refused: ${code} ${message}`);
}
