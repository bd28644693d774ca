import { type ChainKey, deriveKey, type PluginAnswer, type PluginRoutes } from '@tradepost/local-chain';
import { type Address, isAddress } from '@tradepost/solana';
import { cosign, type DeskDeps } from './cosign.ts';
import { DeskError } from './desk-error.ts';
import { LAUNCH_CURVE, type LaunchBook } from './launches.ts';
import { publicPool } from './pool.ts';

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The HTTP endpoints of the demonstration exchange. `cosign` takes `{ "message": "<base64>" }`; `launch` takes `{ "mint": "<address>" }`
 * and tells the maker of that curve, a GET the terms that every launch gets.
 */
export function createDeskRoutes(
  desk: Pick<DeskDeps, 'chain' | 'pools'> & {
    readonly seed: Uint8Array;
    readonly launches: Pick<LaunchBook, 'register'>;
  },
): PluginRoutes {
  const keys = new Map<string, ChainKey>();
  const deps: DeskDeps = {
    ...desk,
    keyOf: ({ keyLabel }) => {
      const key = keys.get(keyLabel) ?? deriveKey(desk.seed, keyLabel);
      keys.set(keyLabel, key);
      return key;
    },
  };
  return {
    'GET pools': () => ({ status: 200, body: { demonstration: true, pools: deps.pools().map(publicPool) } }),
    'POST cosign': (body) => answered(() => ({ signatures: cosign(deps, messageOf(body)) })),
    'GET launch': () => answered(() => TERMS),
    'POST launch': (body) => answered(() => ({ ...TERMS, ...desk.launches.register(mintOf(body)) })),
  };
}

const TERMS = {
  demonstration: true,
  feeBps: LAUNCH_CURVE.feeBps,
  virtualThousandths: LAUNCH_CURVE.virtualThousandths.toString(),
  virtualLamports: LAUNCH_CURVE.virtualLamports.toString(),
  graduationLamports: LAUNCH_CURVE.graduationLamports.toString(),
};

function answered(work: () => unknown): PluginAnswer {
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
