import { type Address, isAddress } from '../address.ts';
import { type ChainKey, deriveKey } from '../keys.ts';
import { cosign, type DeskDeps } from './cosign.ts';
import { DeskError } from './desk-error.ts';
import { LAUNCH_CURVE, type LaunchBook } from './launches.ts';
import { publicPool } from './pool.ts';

export type DeskAnswer = { readonly status: number; readonly body: unknown };

/** The HTTP endpoints of the demonstration exchange. */
export interface DeskRoutes {
  pools(): DeskAnswer;
  /** `body` is the JSON text `{ "message": "<base64>" }`. */
  cosign(body: string): DeskAnswer;
  /** The curve that every launch gets, and the maker of one: `body` is `{ "mint": "<address>" }`, null asks for the terms alone. */
  launch(body: string | null): DeskAnswer;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function createDeskRoutes(
  chain: Pick<DeskDeps, 'chain' | 'pools'> & {
    readonly seed: Uint8Array;
    readonly launches: Pick<LaunchBook, 'register'>;
  },
): DeskRoutes {
  const keys = new Map<string, ChainKey>();
  const deps: DeskDeps = {
    ...chain,
    keyOf: ({ keyLabel }) => {
      const key = keys.get(keyLabel) ?? deriveKey(chain.seed, keyLabel);
      keys.set(keyLabel, key);
      return key;
    },
  };
  return {
    pools: () => ({ status: 200, body: { demonstration: true, pools: deps.pools().map(publicPool) } }),
    cosign: (body) => answered(() => ({ signatures: cosign(deps, messageOf(body)) })),
    launch: (body) =>
      answered(() => ({
        demonstration: true,
        feeBps: LAUNCH_CURVE.feeBps,
        virtualThousandths: LAUNCH_CURVE.virtualThousandths.toString(),
        virtualLamports: LAUNCH_CURVE.virtualLamports.toString(),
        graduationLamports: LAUNCH_CURVE.graduationLamports.toString(),
        ...(body === null ? {} : chain.launches.register(mintOf(body))),
      })),
  };
}

function answered(work: () => unknown): DeskAnswer {
  try {
    return { status: 200, body: work() };
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    const { code, message, details } = error;
    return { status: code === 'PRICE_MOVED' ? 409 : 400, body: { error: { code, message, details } } };
  }
}

function mintOf(body: string): Address {
  const mint = fieldOf(body, 'mint');
  if (typeof mint !== 'string' || !isAddress(mint)) {
    throw new DeskError('LAUNCH_INVALID', 'Expected { "mint": "<base58 address>" }.');
  }
  return mint;
}

function messageOf(body: string): Uint8Array {
  const message = fieldOf(body, 'message');
  if (typeof message !== 'string' || !BASE64.test(message) || message.length % 4 !== 0) {
    throw new DeskError('MESSAGE_INVALID', 'Expected { "message": "<base64 of the message bytes>" }.');
  }
  return new Uint8Array(Buffer.from(message, 'base64'));
}

function fieldOf(body: string, name: string): unknown {
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    throw new DeskError('MESSAGE_INVALID', 'Expected a JSON body.');
  }
  return typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined;
}
