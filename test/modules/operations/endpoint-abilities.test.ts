import { describe, expect, it } from 'vitest';
import {
  type EndpointReplies,
  judgeEndpoint,
  type Reply,
} from '../../../src/modules/operations/rules/endpoint-abilities.ts';

const NOW = 1_790_000_000;
const served: Reply = { kind: 'result', result: [], ms: 12 };
const refused = (code: number): Reply => ({ kind: 'refused', code, message: 'not on this plan' });
const FRIENDLY: EndpointReplies = {
  host: 'node.example.org',
  genesis: served,
  version: served,
  chainSeconds: NOW - 1,
  programScan: served,
  mintScan: served,
  largest: served,
  history: { kind: 'result', result: 1_000_000, ms: 3 },
  addressHistory: served,
  versionOne: served,
  networkHasVersionOne: true,
  fees: served,
  assets: refused(-32_601),
  socket: served,
};

const states = (change: Partial<EndpointReplies>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    judgeEndpoint({ ...FRIENDLY, ...change }, NOW)
      .filter(({ state }) => state !== 'ok')
      .map(({ part, state }) => [part.replace('node.example.org ', ''), state]),
  );

describe('the abilities of an endpoint', () => {
  it('lack nothing on a node that serves all, without assets, which nothing needs', () => {
    expect(states({})).toEqual({});
  });

  it('want a look where another way exists, and are broken where none does', () => {
    expect(states({ programScan: refused(-32_010), largest: refused(403) })).toEqual({
      'lists of programs': 'warn',
      'largest holders': 'warn',
    });
    expect(states({ addressHistory: refused(-32_601) })).toEqual({ 'histories of addresses': 'bad' });
    expect(states({ genesis: { kind: 'failed', why: 'it answers 401 and no JSON' } })).toEqual({
      network: 'bad',
    });
  });

  it('count a refusal of the question itself as served', () => {
    expect(states({ largest: refused(-32_602) })).toEqual({});
  });

  it('believe no node that is more than ten seconds apart, in either direction', () => {
    expect(states({ chainSeconds: NOW - 10 })).toEqual({});
    expect(states({ chainSeconds: NOW - 11 })).toEqual({ age: 'bad' });
    expect(states({ chainSeconds: NOW + 11 })).toEqual({ age: 'bad' });
    expect(states({ chainSeconds: null })).toEqual({ age: 'bad' });
  });

  it('need the history in which a death is proved', () => {
    expect(states({ history: { kind: 'result', result: 449, ms: 1 } })).toEqual({ history: 'warn' });
    expect(states({ history: refused(-32_601) })).toEqual({ history: 'bad' });
  });

  it('need version 1 where the network has it, and say so', () => {
    const versionOne = refused(-32_015);
    expect(states({ versionOne })).toEqual({ 'version 1': 'bad' });
    expect(states({ versionOne, networkHasVersionOne: false })).toEqual({ 'version 1': 'warn' });
    const [finding] = judgeEndpoint(FRIENDLY, NOW).filter(({ part }) => part.endsWith('version 1'));
    expect(finding?.fact).toBe('served in 12 ms; the network has them');
  });
});
