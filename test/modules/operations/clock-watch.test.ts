import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { VERSION } from '../../../src/modules/operations/rules/version.ts';
import { createPartsCheck } from '../../../src/modules/operations/use/ask-parts.ts';
import { createClockWatch } from '../../../src/modules/operations/use/clock-watch.ts';

const NOW = Date.UTC(2026, 10, 26);
const DAY = 86_400_000;

/** A process whose clock is `aheadMs` before the database's, whose answers take `tookMs`. */
function rig() {
  const world = { time: NOW, aheadMs: 0, tookMs: 0, chain: null as number | null, chainAsked: 0 };
  const said: string[] = [];
  const say =
    (level: string) =>
    (_about: object, text: string): void =>
      void said.push(`${level}: ${text}`);
  const watch = createClockWatch({
    beat: async () => {
      world.time += world.tookMs / 2;
      const database = world.time;
      world.time += world.tookMs / 2;
      return database;
    },
    chainTime: async () => {
      world.chainAsked += 1;
      return world.chain;
    },
    now: () => world.time + world.aheadMs,
    pause: async () => undefined,
    log: { info: say('info'), warn: say('warn'), error: say('error') },
  });
  const later = (ms: number, aheadMs: number) => {
    world.time += ms;
    world.aheadMs = aheadMs;
    return watch.look();
  };
  return { world, said, watch, later };
}

describe('a clock beside the database’s', () => {
  it.each([
    [0, 'well'],
    [2_000, 'well'],
    [-2_000, 'well'],
    [2_001, 'late'],
    [-2_001, 'late'],
    [5_000, 'late'],
    [5_001, 'off'],
    [-5_001, 'off'],
    [DAY, 'off'],
    [-3_600_000, 'off'],
  ])('%d ms ahead is %s', async (aheadMs, state) => {
    const { watch, later } = rig();
    expect(await later(0, aheadMs)).toBe(state);
    if (state === 'off')
      expect(() => watch.assertWell()).toThrow(expect.objectContaining({ code: 'CLOCK_OFF' }));
    else watch.assertWell();
  });

  it('stops work until it agrees, and each change is told once', async () => {
    const { said, watch, later } = rig();
    for (const aheadMs of [0, 3_000, 3_000, DAY, DAY, 0, 0]) await later(1_000, aheadMs);
    watch.assertWell();
    expect(said).toEqual([
      expect.stringMatching(/^warn: .* drift apart/),
      expect.stringMatching(/^error: ALERT: CLOCK_OFF/),
      expect.stringMatching(/^info: .* agree again/),
    ]);
  });

  it('is not called off by a slow answer', async () => {
    const { world, later } = rig();
    world.tookMs = 14_000;
    expect(await later(0, 0)).toBe('well');
    expect(await later(0, 6_000)).toBe('well');
    expect(await later(0, 13_000)).toBe('off');
  });

  it('keeps its last word while the database does not answer', async () => {
    const { watch, later } = rig();
    await later(0, DAY);
    const silent = createClockWatch({
      beat: () => Promise.reject(new AppError('DATABASE_UNREACHABLE', { cause: 'gone' })),
      chainTime: async () => null,
      now: () => NOW,
      pause: async () => undefined,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    await expect(silent.look()).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' });
    silent.assertWell();
    expect(() => watch.assertWell()).toThrow();
  });
});

describe('the database’s clock beside the chain’s', () => {
  it('is asked once a minute, and told once when they are more than two minutes apart', async () => {
    const { world, said, later } = rig();
    world.chain = NOW - 119_000;
    await later(0, 0);
    await later(1_000, 0);
    expect(world.chainAsked).toBe(1);
    world.chain = NOW - 200_000;
    await later(60_000, 0);
    await later(60_000, 0);
    world.chain = NOW + 180_000;
    await later(60_000, 0);
    expect(world.chainAsked).toBe(4);
    expect(said).toEqual([
      expect.stringMatching(/^error: ALERT: .* minutes apart/),
      expect.stringMatching(/agree again/),
    ]);
  });
});

describe('what /readyz says of a part', () => {
  it('is its code where an operator mends it in another way, and down otherwise', async () => {
    const fails = (error: unknown) => () => Promise.reject(error);
    const check = createPartsCheck(
      {
        full: fails(new AppError('DATABASE_FULL', { cause: 'x' })),
        busy: fails(new AppError('DATABASE_BUSY', { cause: 'x' })),
        replica: fails(new AppError('DATABASE_READ_ONLY', { cause: 'x' })),
        clock: fails(new AppError('CLOCK_OFF', { aheadMs: 1 })),
        gone: fails(new AppError('DATABASE_UNREACHABLE', { cause: 'secret host' })),
        bug: fails(new Error('secret')),
        fine: async () => 1,
      },
      () => NOW,
    );
    expect(await check()).toEqual({
      isWell: false,
      parts: {
        full: 'DATABASE_FULL',
        busy: 'DATABASE_BUSY',
        replica: 'DATABASE_READ_ONLY',
        clock: 'CLOCK_OFF',
        gone: 'down',
        bug: 'down',
        fine: 'ok',
      },
    });
  });
});

it('the version that a process writes down is that of package.json', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  expect(VERSION).toBe(version);
});
