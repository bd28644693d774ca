import { describe, expect, it } from 'vitest';
import type { WritableEntry } from '../../../src/engine/signing/rules/line.ts';
import { auditJournal } from '../../../src/modules/operations/use/audit-journal.ts';
import { namedFrom, namedSince } from '../../../src/modules/operations/use/named-signatures.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeJournal } from '../../support/fakes/journal.ts';

const MINUTE = 60_000;

const signed = (signature: string, intentId = 'intent'): WritableEntry => ({
  kind: 'signed',
  intentId,
  intentKind: 'withdraw-sol',
  walletId: 'wallet',
  messageHash: `hash of ${signature}`,
  signature,
  diesAfter: 500n,
  signedSlot: 1n,
});
const dead = (signature: string): WritableEntry => ({ kind: 'ended', signature, how: 'dead', looks: [] });

/** A journal that began an hour ago, and what database and chain hold. */
async function world(given: { readonly attempts?: readonly string[]; readonly landed?: readonly string[] }) {
  const clock = fakeClock();
  const begunAt = clock.now() - 60 * MINUTE;
  let at = begunAt;
  const journal = fakeJournal(undefined, () => at);
  const attempts = given.attempts ?? [];
  const audit = () =>
    auditJournal(
      {
        signatures: {
          known: async (asked) =>
            new Map(asked.filter((one) => attempts.includes(one)).map((one) => [one, 'FINALIZED'] as const)),
          signedSince: async (_since, after) =>
            attempts
              .map((signature) => ({ id: signature, signature, intentId: 'intent' }))
              .filter(({ id }) => id > after),
        },
        chain: {
          landed: async (signature) =>
            given.landed?.includes(signature) === true ? ({ signature } as never) : null,
        },
        clock,
      },
      { begunAt, since: 0, records: () => journal.records(0) },
    );
  return {
    audit,
    journal,
    clock,
    write: async (minutesAgo: number, entry: WritableEntry) => {
      at = clock.now() - minutesAgo * MINUTE;
      await journal.append(entry);
    },
  };
}

describe("the audit of the signer's journal", () => {
  it('tells nothing while each signature that landed is in an attempt, and each attempt was signed', async () => {
    const { audit, write } = await world({ attempts: ['a'], landed: ['a'] });
    await write(50, signed('a'));
    expect(await audit()).toEqual({ signed: 1, attempts: 1, mismatches: [] });
  });

  it('tells a signature that landed and is in no attempt', async () => {
    const { audit, write } = await world({ landed: ['a'] });
    await write(50, signed('a'));
    expect((await audit()).mismatches).toMatchObject([{ rule: 'journal-unknown', subject: 'a' }]);
  });

  it('passes over what never landed, what died, and what is on its way', async () => {
    const { audit, write } = await world({ landed: ['b', 'c'] });
    await write(50, signed('a'));
    await write(50, signed('b'));
    await write(40, dead('b'));
    await write(1, signed('c'));
    expect((await audit()).mismatches).toEqual([]);
  });

  it('tells an attempt that the journal does not know', async () => {
    const { audit } = await world({ attempts: ['a'], landed: ['a'] });
    expect((await audit()).mismatches).toMatchObject([{ rule: 'journal-missing', subject: 'a' }]);
  });
});

describe('the signatures that a journal names', () => {
  it("are those since the database's moment less a margin, without the dead", async () => {
    const { journal, clock, write } = await world({});
    await write(50, signed('old', '1'));
    await write(34, signed('within', '2'));
    await write(10, signed('young', '3'));
    await write(9, signed('gone', '4'));
    await write(5, dead('gone'));
    const dataAsOf = clock.now() - 20 * MINUTE;
    expect(namedFrom(dataAsOf)).toBe(dataAsOf - 15 * MINUTE);
    expect(await namedSince(journal.records(0), dataAsOf)).toEqual([
      { signature: 'within', intentId: '2' },
      { signature: 'young', intentId: '3' },
    ]);
  });
});
