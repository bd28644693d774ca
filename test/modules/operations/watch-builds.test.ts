import { type Address, addressFromBytes } from '@tradepost/solana';
import { beforeEach, describe, expect, it } from 'vitest';
import { pauseSwitch, resumeSwitch } from '../../../src/engine/switches/use/turn-switch.ts';
import { watchBuilds } from '../../../src/modules/operations/use/watch-builds.ts';
import type { ProgramBuild } from '../../../src/platform/ports/program-builds.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

const key = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n));
const [CURVE, POOL, FEES, BOOK] = [key(1), key(2), key(3), key(4)];
const DEPLOYMENTS = [
  { venue: 'curve', programs: [CURVE, FEES] },
  { venue: 'pool', programs: [POOL, FEES] },
  { venue: 'book', programs: [BOOK] },
];
/** The server’s own clock judges the end of a pause. */
const FAR = 4_000_000_000_000;
const build = (slot: bigint, code: string): ProgramBuild => ({ slot, sha256: code.repeat(64) });

describe('the watch over program builds', () => {
  const clock = fakeClock();
  let db: ReturnType<typeof fakeDatabase>;
  let cluster: Map<Address, ProgramBuild>;
  let reads: Address[];
  let told: { readonly level: string; readonly fields: object }[];
  /** What the header says where it differs from the build, as a node that lags says it. */
  let headers: Map<Address, bigint>;

  beforeEach(() => {
    db = fakeDatabase();
    cluster = new Map([
      [CURVE, build(10n, 'a')],
      [POOL, build(11n, 'b')],
      [FEES, build(12n, 'c')],
    ]);
    headers = new Map();
    reads = [];
    told = [];
  });

  const look = async () => {
    reads = [];
    await watchBuilds({
      db,
      clock,
      deployments: DEPLOYMENTS,
      programBuilds: {
        deployedAt: async (programs) =>
          programs.map((program) => headers.get(program) ?? cluster.get(program)?.slot ?? null),
        read: async (program) => {
          reads.push(program);
          return cluster.get(program) ?? null;
        },
      },
      log: {
        info: (fields) => void told.push({ level: 'info', fields: fields as object }),
        error: (fields) => void told.push({ level: 'error', fields: fields as object }),
      },
    });
  };
  const paused = async () =>
    (await db.flags.pauses()).map(({ what, reason, until }) => [what, reason, until]);

  it('writes the first builds down, pauses nothing, and reads none of them twice', async () => {
    await look();
    expect(reads).toEqual([CURVE, FEES, POOL]);
    expect(await paused()).toEqual([]);
    await look();
    expect(reads).toEqual([]);
    expect(told.map(({ level }) => level)).toEqual(['info', 'info', 'info']);
    const acts = await db.auditLog.list({ act: 'program-build-seen' }, { limit: 9, offset: 0 });
    expect(acts.map(({ details }) => details)).toContainEqual({
      program: FEES,
      slot: '12',
      sha256: 'c'.repeat(64),
    });
  });

  it('pauses the venue whose program was replaced, once', async () => {
    await look();
    cluster.set(CURVE, build(20n, 'd'));
    await look();
    expect(reads).toEqual([CURVE]);
    expect(await paused()).toEqual([['venue:curve', 'its program was replaced in slot 20', null]]);
    expect(told.at(-1)).toMatchObject({ level: 'error', fields: { program: CURVE, venues: ['curve'] } });
    await resumeSwitch({ db, clock }, { what: 'venue:curve', reason: 'looked at', actor: 'operator:ann' });
    await look();
    expect(await paused()).toEqual([]);
    const acts = await db.auditLog.list({ act: 'switch-paused' }, { limit: 9, offset: 0 });
    expect(acts).toMatchObject([{ actor: 'service', details: { what: 'venue:curve' } }]);
  });

  it('pauses every venue that runs on the program, also when it is replaced twice within a minute', async () => {
    await look();
    cluster.set(FEES, build(30n, 'e'));
    cluster.set(FEES, build(31n, 'f'));
    await look();
    expect((await paused()).map(([what]) => what)).toEqual(['venue:curve', 'venue:pool']);
    cluster.set(FEES, build(32n, 'c'));
    await resumeSwitch({ db, clock }, { what: 'venue:pool', reason: 'looked at', actor: 'operator:ann' });
    await look();
    // Back to the code of the beginning: another change, and nothing that anybody has looked at.
    expect(new Set((await paused()).map(([what]) => what))).toEqual(new Set(['venue:curve', 'venue:pool']));
  });

  it('pauses nothing for the same code deployed again, and notes its slot', async () => {
    await look();
    cluster.set(POOL, build(40n, 'b'));
    await look();
    await look();
    expect(reads).toEqual([]);
    expect(await paused()).toEqual([]);
  });

  it('believes no node that lags, in the header or in the build', async () => {
    await look();
    cluster.set(CURVE, build(9n, 'd'));
    await look();
    expect(reads).toEqual([]);
    headers.set(CURVE, 50n);
    await look();
    expect(reads).toEqual([CURVE]);
    expect(await paused()).toEqual([]);
    cluster.set(CURVE, build(50n, 'd'));
    await look();
    expect((await paused()).map(([what]) => what)).toEqual(['venue:curve']);
  });

  it('keeps an operator’s pause, and takes the end away from one that would end by itself', async () => {
    await look();
    const pause = (what: `venue:${string}`, until: number | null) =>
      pauseSwitch({ db, clock }, { what, reason: 'by hand', until, actor: 'operator:ann' });
    await pause('venue:curve', null);
    await pause('venue:pool', FAR);
    cluster.set(FEES, build(60n, 'e'));
    await look();
    expect(await paused()).toEqual([
      ['venue:curve', 'by hand', null],
      ['venue:pool', 'its program was replaced in slot 60', null],
    ]);
  });

  it('looks at no program that is not there', async () => {
    await look();
    cluster.delete(POOL);
    await look();
    expect(reads).toEqual([]);
    expect(await paused()).toEqual([]);
  });
});
