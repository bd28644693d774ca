import type { ToldNetwork } from '../../modules/operations/rules/check-up.ts';
import type { BlockTime } from './block-time.ts';
import { type Node, nodesOf } from './nodes.ts';
import { RENT_SYSVAR, type Rent, type RentRate, readRent, rentPerByte } from './rent.ts';
import { isActive, VERSION_1_FEATURE } from './transaction-version.ts';
import { readAccounts, readPrices } from './wire-answers.ts';

const SAMPLES = 5;

/** A process's measurements of the network, as `GET /health` prints them. Null: not measured yet. */
export type NetworkFacts = {
  readonly slotMs: number | null;
  readonly blockhashLivesMs: number | null;
  /** Milliseconds since the height that the last two rest on was heard. */
  readonly slotAgeMs: number | null;
  readonly rentLamportsPerByte: number | null;
  readonly rentAgeMs: number | null;
};

/** The facts that this process rests its figures on, each with its age. Makes no call. */
export function networkFacts(
  { blockTime, rent }: { readonly blockTime: BlockTime; readonly rent: Rent },
  now: number,
): NetworkFacts {
  const [heard, told] = [blockTime.measuredAt(), rent.told()];
  return {
    slotMs: heard === null ? null : Math.round(blockTime.slotMs()),
    blockhashLivesMs: heard === null ? null : blockTime.blockhashLivesMs(),
    slotAgeMs: heard === null ? null : Math.round(now - heard),
    rentLamportsPerByte: told === null ? null : rentPerByte(told.rate),
    rentAgeMs: told === null ? null : Math.round(now - told.at),
  };
}

/** Each host of `urls` is asked side by side; one that does not answer a question does not tell that fact. Never throws. */
export function askNetworkFacts(urls: readonly string[]): Promise<readonly ToldNetwork[]> {
  return Promise.all(nodesOf(urls).map(ask));
}

async function ask({ host, call }: Node): Promise<ToldNetwork> {
  const unlessSilent = <T>(question: Promise<T>): Promise<T | null> => question.catch(() => null);
  const [slots, accounts, fees, finality] = await Promise.all([
    unlessSilent(call('getRecentPerformanceSamples', [SAMPLES]).then(readSamples)),
    unlessSilent(
      call('getMultipleAccounts', [
        [RENT_SYSVAR, VERSION_1_FEATURE],
        { encoding: 'base64', commitment: 'confirmed' },
      ]).then((answer) => readAccounts(answer, 2).accounts),
    ),
    unlessSilent(call('getRecentPrioritizationFees', [[]]).then(readPrices)),
    unlessSilent(call('getAgGenesisCert', []).then(readMigration)),
  ]);
  return {
    host,
    slotMs: slots?.slotMs ?? null,
    spanMs: slots?.spanMs ?? null,
    rentLamportsPerByte: accounts === null ? null : rentOrNull(accounts[0] ?? null),
    version1: accounts === null ? null : isActive(accounts[1] ?? null),
    isMigrated: finality,
    tellsFees: fees !== null,
  };
}

/**
 * Of `getAgGenesisCert`: an object is the certificate with which Alpenglow began, null is the absence of one. Throws for anything else, which
 * is no answer to the question.
 */
function readMigration(answer: unknown): boolean {
  if (answer === null) return false;
  if (typeof answer === 'object' && !Array.isArray(answer)) return true;
  throw new Error('the certificate is no object');
}

function rentOrNull(account: Parameters<typeof readRent>[0]): number | null {
  try {
    return rentPerByte(readRent(account) satisfies RentRate);
  } catch {
    return null;
  }
}

/** Of `getRecentPerformanceSamples`: slots and seconds, summed. Null without a slot. Throws where they are no numbers. */
export function readSamples(answer: unknown): { readonly slotMs: number; readonly spanMs: number } | null {
  if (!Array.isArray(answer)) throw new Error('the samples are no list');
  let [slots, seconds] = [0, 0];
  for (const sample of answer as readonly unknown[]) {
    slots += naturalOf(sample, 'numSlots');
    seconds += naturalOf(sample, 'samplePeriodSecs');
  }
  return slots === 0 ? null : { slotMs: (seconds * 1_000) / slots, spanMs: seconds * 1_000 };
}

function naturalOf(sample: unknown, name: string): number {
  const value: unknown = typeof sample === 'object' && sample !== null ? Reflect.get(sample, name) : null;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new Error(`a sample's ${name} is no whole number`);
  return value;
}
