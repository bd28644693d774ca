import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { lookByBlockhash } from '../../../src/engine/signing/rules/blockhash-end.ts';
import { createChainLook } from '../../../src/engine/signing/use/look-at-chain.ts';
import type { SignatureStatus } from '../../../src/platform/ports/chain.ts';
import type { WitnessProbe } from '../../../src/platform/ports/chain-witness.ts';
import { fakeClock } from '../../support/fakes/clock.ts';

const NOTHING_TAKEN = { of: () => null, forget: () => undefined };
const NOTE = { signature: 's', diesAfter: 1_000n, signedSlot: 500n, at: 0 };
const final = (err: string | null): SignatureStatus => ({ slot: 900n, level: 'finalized', err });

/** What the signer hears when each endpoint has this status; null of an endpoint that is silent. */
function lookAt(statuses: readonly (SignatureStatus | null | 'silent')[]) {
  const probe = async (_signature: string, round: number): Promise<WitnessProbe> => {
    const at = round % statuses.length;
    const status = statuses[at];
    if (status === undefined || status === 'silent')
      throw new AppError('CHAIN_UNREACHABLE', { endpoint: `node-${at}`, cause: 'silent' });
    return {
      endpoint: `node-${at}`,
      endpoints: statuses.length,
      finalizedHeight: 900n,
      finalizedSlot: 950n,
      status,
      statusSlot: 950n,
      firstAvailableBlock: 0n,
      goneAt: null,
    };
  };
  // A whole number of rounds, so that the first endpoint is asked first.
  return createChainLook({ witness: { probe }, clock: fakeClock(0), taken: NOTHING_TAKEN })(NOTE);
}

describe('the end of a signature by the nodes', () => {
  it('is believed of two endpoints that agree', async () => {
    expect(await lookAt([final(null), final(null)])).toMatchObject({
      word: 'landed',
      looks: [{ endpoint: 'node-0' }, { endpoint: 'node-1' }],
    });
    expect((await lookAt([final('"E"'), final('"E"')])).word).toBe('failed');
  });

  it('is believed of the only endpoint there is', async () => {
    expect((await lookAt([final(null)])).word).toBe('landed');
  });

  it.each([
    ['one of two does not know it', [final(null), null]],
    ['one of two has not seen it final', [final(null), { ...final(null), level: 'confirmed' as const }]],
    ['they end it differently', [final(null), final('"E"')]],
  ])('is undecided where %s', async (_, statuses) => {
    expect(await lookAt(statuses)).toEqual({ word: 'undecided', looks: [] });
  });

  it('is undecided where one of two is silent', async () => {
    expect(await lookAt([final(null), 'silent'])).toEqual({ word: 'undecided', looks: [] });
  });
});

type Node = {
  /** The slot as of which it took the blockhash; null: it never did. */
  readonly took: bigint | null;
  readonly goneAt: bigint | null;
  readonly statusSlot?: bigint;
  readonly firstAvailableBlock?: bigint;
  readonly status?: SignatureStatus;
};

/** What the signer hears of a blockhash, far below the height at which the journal calls the signature dead. */
function lookByHash(nodes: readonly Node[], clock = fakeClock(0)) {
  const probe = async (
    _signature: string,
    round: number,
    blockhash?: string | null,
  ): Promise<WitnessProbe> => {
    const at = round % nodes.length;
    const { goneAt, ...node }: Node = nodes[at] ?? { took: null, goneAt: null };
    return {
      endpoint: `node-${at}`,
      endpoints: nodes.length,
      finalizedHeight: 600n,
      finalizedSlot: 650n,
      status: node.status ?? null,
      statusSlot: node.statusSlot ?? 660n,
      firstAvailableBlock: node.firstAvailableBlock ?? 0n,
      goneAt: blockhash === 'hash' ? goneAt : null,
    };
  };
  const takenAt = new Map(
    nodes.flatMap(({ took }, at) => (took === null ? [] : [[`node-${at}`, took] as const])),
  );
  const taken = { of: () => ({ blockhash: 'hash', takenAt }), forget: () => undefined };
  return createChainLook({ witness: { probe }, clock, taken });
}

describe('the end of a blockhash by the nodes', () => {
  it('is no look where the node knows the signature', () => {
    const probe: WitnessProbe = {
      endpoint: 'node-0',
      endpoints: 2,
      finalizedHeight: 600n,
      finalizedSlot: 650n,
      status: null,
      statusSlot: 660n,
      firstAvailableBlock: 0n,
      goneAt: 655n,
    };
    const takenAt = new Map([['node-0', 505n]]);
    expect(lookByBlockhash(takenAt, probe, 0)).toMatchObject({ finalizedSlot: 655n });
    expect(lookByBlockhash(takenAt, { ...probe, status: final(null) }, 0)).toBeNull();
  });

  const ended: Node = { took: 505n, goneAt: 655n };

  it('is the death of its signature where two nodes took it and take it no more', async () => {
    expect(await lookByHash([ended, ended])(NOTE)).toEqual({
      word: 'dead',
      looks: [
        { endpoint: 'node-0', at: 0, slot: 655n },
        { endpoint: 'node-1', at: 0, slot: 655n },
      ],
    });
  });

  it('is believed of a lone node at its second look, ten seconds later', async () => {
    const clock = fakeClock(0);
    const look = lookByHash([ended], clock);
    expect((await look(NOTE)).word).toBe('undecided');
    clock.advance(10_000);
    expect((await look(NOTE)).word).toBe('dead');
  });

  it.each<readonly [string, Node]>([
    ['never took it: it may be behind', { took: null, goneAt: 655n }],
    ['speaks as of a slot before the one at which it took it', { took: 656n, goneAt: 655n }],
    ['takes it', { took: 505n, goneAt: null }],
    ['searched an older state for the signature', { ...ended, statusSlot: 654n }],
    ['does not remember the slot of the signature', { ...ended, firstAvailableBlock: 501n }],
    ['has seen the signature', { ...ended, status: { slot: 600n, level: 'processed', err: null } }],
  ])('is nothing where the second of two nodes %s', async (_, second) => {
    expect(await lookByHash([ended, second])(NOTE)).toEqual({ word: 'undecided', looks: [] });
  });
});
