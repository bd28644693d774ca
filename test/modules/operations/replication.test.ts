import { describe, expect, it } from 'vitest';
import {
  type Replica,
  type Replication,
  standbyProblem,
} from '../../../src/modules/operations/rules/replication.ts';

const replica = (sync: Replica['sync'], more: Partial<Replica> = {}): Replica => ({
  name: 'b',
  state: 'streaming',
  sync,
  ...more,
});
const seen = (replicas: readonly Replica[], synchronousCommit = 'on'): Replication => ({
  replicas,
  synchronousCommit,
});
const off = { ha: 'off', readReplicas: new Set<string>() } as const;
const sync = { ha: 'sync', readReplicas: new Set<string>() } as const;

describe('replicas of the database', () => {
  it('are no problem when there are none, and none is wanted', () => {
    expect(standbyProblem(seen([]), off)).toBeNull();
    expect(standbyProblem(seen([]), sync)).toContain('no synchronous standby');
  });

  it.each(['sync', 'quorum'])('that are %s are what is wanted', (state) => {
    expect(standbyProblem(seen([replica(state)]), sync)).toBeNull();
    expect(standbyProblem(seen([replica(state)]), off)).toBeNull();
  });

  it('that are next in turn alone hold nothing', () => {
    expect(standbyProblem(seen([replica('potential')]), sync)).toContain('no synchronous standby');
    expect(standbyProblem(seen([replica('sync'), replica('potential', { name: 'c' })]), sync)).toBeNull();
  });

  it('that still catch up hold nothing', () => {
    expect(standbyProblem(seen([replica('sync', { state: 'catchup' })]), sync)).toContain('no synchronous');
  });

  it('that are asynchronous are refused beside a synchronous one, too, unless they are named as never promoted', () => {
    const both = seen([replica('sync'), replica('async', { name: 'c' })]);
    for (const rules of [off, sync]) expect(standbyProblem(both, rules)).toContain('"c" is asynchronous');
    expect(standbyProblem(both, { ...sync, readReplicas: new Set(['c']) })).toBeNull();
  });

  it('whose state our role may not see are taken for asynchronous ones', () => {
    const blind = seen([replica(null, { state: null })]);
    for (const rules of [off, sync]) expect(standbyProblem(blind, rules)).toContain('pg_monitor');
    expect(standbyProblem(blind, { ...off, readReplicas: new Set(['b']) })).toBeNull();
  });

  it('that are base backups end by themselves', () => {
    expect(standbyProblem(seen([replica('async', { name: 'pg_basebackup' })]), off)).toBeNull();
  });

  it.each(['off', 'local', 'remote_write'])(
    'are of no use while commits do not wait for them (%s)',
    (word) => {
      expect(standbyProblem(seen([replica('sync')], word), sync)).toContain(`synchronous_commit is ${word}`);
      expect(standbyProblem(seen([replica('sync')], word), off)).toBeNull();
    },
  );
});
