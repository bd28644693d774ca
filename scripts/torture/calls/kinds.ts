import { sign } from 'node:crypto';
import type { DeskChain } from '../../../src/local/desk/index.ts';
import { seededRandom } from '../../../test/support/simulator/random.ts';
import type { ChainBook } from './chain-book.ts';
import { type Diary, openDiary } from './diary.ts';
import type { Front } from './front.ts';
import { type Integrator, newWallet, type Wallet } from './integrators.ts';
import type { Call } from './judge.ts';
import type { Sdk } from './product.ts';
import { type Answer, insistRaw, type RawHost, submitRaw } from './raw-caller.ts';
import { SLIPPAGE_BPS, SOL, swapBySdk } from './sdk-caller.ts';
import { signedTransfer } from './transfer.ts';

/** Shares of 100. `fails`: the chain refuses its work and keeps the fee. `cannot-land`: its payer has nothing. */
const KINDS = [
  ['sdk-swap', 35],
  ['raw-swap', 15],
  ['transfer', 28],
  ['fails', 9],
  ['cannot-land', 6],
  ['open-swap', 7],
] as const;
export type Kind = (typeof KINDS)[number][0];

const SMALLEST_SWAP = 1_000_000n;
const SMALLEST_TRANSFER = 1_000_000n;
const MORE_THAN_ANYONE_HAS = 9_000_000_000_000_000n;
/** A transfer may come with a blockhash that is this old: it lands late or never. */
const OLDEST_HASH = 130;

export type CallerDeps = {
  readonly sdk: Sdk;
  readonly book: ChainBook;
  readonly chain: Pick<DeskChain, 'chain'>;
  readonly fronts: Readonly<Record<'open' | 'keyed', Front>>;
  readonly mint: string;
  readonly seed: number;
  /** In place of the shares: these kinds, in turn. */
  readonly kinds: readonly Kind[] | null;
};

/** One call, from its quote to the caller's last knowledge of it. The number and the seed decide of what kind it is. */
export function createCaller(deps: CallerDeps): (n: number, who: Integrator) => Promise<Call> {
  const { sdk, book, fronts } = deps;
  const sink = newWallet();
  return async (n, who) => {
    const random = seededRandom(deps.seed * 1_000_003 + n);
    const share = random.next();
    const kind = deps.kinds?.[n % deps.kinds.length] ?? kindOf(share);
    const diary = openDiary({ n, kind, sdk, book });
    const host = { baseUrl: fronts.keyed.url, apiKey: who.apiKey };
    const payment = (from: Wallet, lamports: bigint): Uint8Array =>
      signedTransfer({
        from,
        to: sink.address,
        lamports,
        blockhash: deps.chain.chain.slots.hashOf(
          deps.chain.chain.slots.at('confirmed') - (random.chance(0.3) ? random.between(0, OLDEST_HASH) : 0),
        ),
        memo: `call-${n}`,
      });
    switch (kind) {
      case 'sdk-swap':
      case 'open-swap': {
        const isOpen = kind === 'open-swap';
        const order = {
          baseUrl: isOpen ? fronts.open.url : fronts.keyed.url,
          apiKey: isOpen ? null : who.apiKey,
          ip: `198.51.100.${n % 250}`,
          mint: deps.mint,
          lamports: SMALLEST_SWAP + BigInt(n),
        };
        return swapBySdk({ sdk, diary, who, order, random });
      }
      case 'raw-swap':
        return rawSwap(deps, host, diary, who);
      case 'transfer':
        return submitRaw(host, diary, payment(who.wallet, SMALLEST_TRANSFER + BigInt(n)));
      case 'fails':
        return submitRaw(host, diary, payment(who.wallet, MORE_THAN_ANYONE_HAS + BigInt(n)), {
          skipSimulation: true,
        });
      case 'cannot-land':
        return submitRaw(host, diary, payment(newWallet(), SMALLEST_TRANSFER), { skipSimulation: true });
    }
  };
}

function kindOf(share: number): Kind {
  let at = 0;
  for (const [kind, part] of KINDS) {
    at += part / 100;
    if (share < at) return kind;
  }
  return 'sdk-swap';
}

/** Quote, build with an idempotency key, sign, submit, poll: plain HTTP. */
async function rawSwap(
  { sdk, mint }: CallerDeps,
  host: RawHost,
  diary: Diary,
  { wallet }: Integrator,
): Promise<Call> {
  const what = {
    amount: (SMALLEST_SWAP + BigInt(diary.n)).toString(),
    fromTokenAddress: SOL,
    toTokenAddress: mint,
    slippageBps: SLIPPAGE_BPS,
  };
  const { amount, fromTokenAddress, toTokenAddress } = what;
  const asked = new URLSearchParams({ amount, fromTokenAddress, toTokenAddress });
  const quote = await insistRaw(host, `/dex/quote?${asked}`, null);
  if (quote === null) return diary.close('open');
  if (quote.kind !== 'data') return diary.close('refused', codeOf(quote));
  const built = await insistRaw(host, '/dex/swap', {
    body: { ...what, userWalletAddress: wallet.address },
    key: `call-${diary.n}`,
  });
  if (built === null) return diary.close('open');
  if (built.kind !== 'data') return diary.close('refused', codeOf(built));
  const transaction = sdk.transactionOf({ tx: String(built.data['tx']) });
  const signature = sign(null, sdk.messageOf(transaction), wallet.key);
  return submitRaw(host, diary, sdk.withSignature(transaction, wallet.address, signature));
}

const codeOf = (answer: Answer): string => (answer.kind === 'refused' ? answer.code : answer.kind);
