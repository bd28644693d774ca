import { describe, expect, it, vi } from 'vitest';
import * as follow from '../../src/modules/follows/rules/follow.ts';
import * as funder from '../../src/modules/follows/rules/leader-funder.ts';
import * as trades from '../../src/modules/follows/rules/leader-trade.ts';
import * as signal from '../../src/modules/follows/rules/signal.ts';
import * as notice from '../../src/modules/follows/rules/signal-notice.ts';
import * as tell from '../../src/modules/follows/use/tell-signals.ts';
import { simulate } from '../support/simulator/simulate.ts';

const run = (seed: number) =>
  simulate({ seed, mode: seed % 2 === 0 ? 'liveness' : 'safety', kinds: [], orders: [], signals: 2 });

/** Signals alone: six wallets that trade, and two people who follow them. */
describe('signals in the simulator', () => {
  it('come once for each window, true by the chain’s time, and are sent when a storm is over', async () => {
    const sums = { windows: 0, texts: 0, silences: 0, kills: 0 };
    for (let seed = 1; seed <= 80; seed += 1) {
      const { violations, signals, kills } = await run(seed);
      expect(violations, `seed ${seed}`).toEqual([]);
      sums.windows += signals?.windows ?? 0;
      sums.texts += signals?.texts ?? 0;
      sums.silences += signals?.silences ?? 0;
      sums.kills += kills;
    }
    // The runs meant something: a fork took some windows back before their message.
    expect(sums.windows).toBeGreaterThan(500);
    expect(sums.texts).toBeGreaterThan(400);
    expect(sums.silences).toBeGreaterThan(10);
    expect(sums.kills).toBeGreaterThan(200);
  }, 300_000);

  it('are a run of their own: the same seed without them is as it was', async () => {
    const without = await simulate({ seed: 3, mode: 'safety' });
    expect((await simulate({ seed: 3, mode: 'safety', signals: 0 })).digest).toBe(without.digest);
    expect(without.signals).toBeNull();
  });
});

type Windows = typeof signal.signalWindows;

/** The rule of windows with something of its question changed. */
function windowsBy(change: (real: Windows, ...asked: Parameters<Windows>) => ReturnType<Windows>) {
  const real = signal.signalWindows;
  return vi.spyOn(signal, 'signalWindows').mockImplementation((...asked) => change(real, ...asked));
}

/** Each breaks one promise of signals. */
const PLANTED: readonly {
  readonly fault: string;
  readonly words: RegExp;
  readonly plant: () => { mockRestore(): void };
}[] = [
  {
    fault: 'comes when one wallet is missing',
    words: /was told falsely/,
    plant: () =>
      windowsBy((real, { wallets, spanMs }, ...more) => real({ wallets: wallets - 1, spanMs }, ...more)),
  },
  {
    fault: 'counts what a fork took back',
    words: /was told falsely/,
    plant: () =>
      windowsBy((real, one, all, more) =>
        real(
          one,
          all.map((trade) => ({ ...trade, takenBack: false })),
          more,
        ),
      ),
  },
  {
    fault: 'comes again for purchases that were in a window',
    words: /was told again/,
    plant: () =>
      windowsBy((real, one, all, more) =>
        real(one, all, { ...more, toldUntil: null }).map((window) => ({
          ...window,
          beganAt: Math.max(window.beganAt, (more.toldUntil ?? 0) + 1),
        })),
      ),
  },
  {
    fault: 'goes by another time than that of the block',
    words: /was told falsely|was not told/,
    plant: () => {
      const real = trades.leaderTrades;
      return vi
        .spyOn(trades, 'leaderTrades')
        .mockImplementation((...asked) =>
          real(...asked).map((trade) => ({ ...trade, at: trade.at - (trade.at % 15_000) })),
        );
    },
  },
  {
    fault: 'passes over the bar of a followed wallet',
    words: /was told falsely/,
    plant: () => {
      const real = follow.isWanted;
      return vi
        .spyOn(follow, 'isWanted')
        .mockImplementation((one, trade) => real({ ...one, minLamports: 0n }, trade));
    },
  },
  {
    fault: 'is lost between its window and its notice',
    words: /was not told/,
    plant: () => {
      const real = tell.signalNotices;
      let calls = 0;
      return vi.spyOn(tell, 'signalNotices').mockImplementation(async (...asked) => {
        const found = await real(...asked);
        calls += 1;
        return calls % 5 === 0 ? [] : found;
      });
    },
  },
  {
    fault: 'is sent though too few purchases stand',
    words: /heard [\s\S]*1 of \d+ stand/,
    plant: () => {
      const real = notice.decodeSignal;
      return vi
        .spyOn(notice, 'decodeSignal')
        .mockImplementation((payload) => ({ ...real(payload), wallets: 1 }));
    },
  },
  {
    fault: 'counts a funder for each wallet',
    words: /heard other numbers/,
    plant: () =>
      vi
        .spyOn(funder, 'countFunders')
        .mockImplementation((wallets) => ({ funders: wallets.length, unknown: 0 })),
  },
];

describe('a signal', () => {
  it.each(PLANTED)(
    'is found where it $fault',
    async ({ words, plant }) => {
      const planted = plant();
      const found: string[] = [];
      for (let seed = 1; seed <= 60 && !found.some((text) => words.test(text)); seed += 1)
        found.push(...(await run(seed)).violations);
      planted.mockRestore();
      expect(found).toContainEqual(expect.stringMatching(words));
    },
    300_000,
  );
});
