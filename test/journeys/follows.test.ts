import { generateKeyPairSync } from 'node:crypto';
import type { Person } from '@tradepost/local-telegram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Address, addressFromBytes } from '../../src/core/address/address.ts';
import { FOLLOW_LIMITS } from '../../src/modules/follows/rules/follow.ts';
import { followRow, leaderTradeRow } from '../conformance/follow-store.ts';
import { type JourneyRig, startJourneyRig } from './rig.ts';

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('follows');
});
afterAll(() => rig.stop());

/** Of a wallet that a key belongs to. */
const someWallet = (): Address =>
  addressFromBytes(
    generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
  );

const tapAndWait = async (person: Person, button: string | RegExp, text: RegExp) => {
  await person.tap(button);
  return person.waitFor(text);
};
const sayAndWait = async (person: Person, said: string, text: RegExp) => {
  await person.say(said);
  return person.waitFor(text);
};

async function onList(name: string) {
  const { person, wallet } = await rig.trader(name, 1n);
  await sayAndWait(person, '/home', /Send a name/);
  await tapAndWait(person, 'Following', /^Following/);
  return { person, wallet, userId: wallet.userId ?? '' };
}

describe('following a wallet', () => {
  it('takes an address and a name, and can be changed, muted and ended', async () => {
    const { person, userId } = await onList('Follower');
    const leader = someWallet();
    await tapAndWait(person, 'Follow a wallet', /Which wallet/);
    await sayAndWait(person, leader, /Give it a name/);
    await sayAndWait(person, 'whale1', /^whale1 · [\s\S]*Notices: all[\s\S]*No trade/);
    await tapAndWait(person, 'Notices ✓', /Notices: quiet/);
    await tapAndWait(person, 'Notices: off', /Notices: all/);
    await tapAndWait(person, 'From…', /From how much SOL/);
    await sayAndWait(person, 'max', /./);
    await sayAndWait(person, '0,5', /Notices: from 0\.5 SOL/);
    await tapAndWait(person, 'From…', /From how much SOL/);
    await sayAndWait(person, '0', /Notices: all/);
    await tapAndWait(person, 'Rename', /Which name/);
    await sayAndWait(person, 'Ana', /^Ana · /);
    const [follow] = await rig.db.follows.listByUser(userId);
    expect(follow).toMatchObject({ leader, label: 'Ana', minLamports: 0n, notices: true });
    await tapAndWait(person, 'Remove', /Follow “Ana” no more/);
    await tapAndWait(person, 'Remove', /You follow no wallet yet/);
    expect(await rig.db.follows.listByUser(userId)).toEqual([]);
  });

  it('refuses what is no wallet, a wallet of one’s own, the same one twice and the 21st, and stores nothing', async () => {
    const { person, wallet, userId } = await onList('Refused');
    await tapAndWait(person, 'Follow a wallet', /Which wallet/);
    for (const no of [rig.token('PUP').mint, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'])
      await sayAndWait(person, no, /That is a token or a program, and no wallet/);
    await sayAndWait(person, '3yZe7d', /address/i);
    await sayAndWait(person, wallet.address, /Give it a name/);
    await sayAndWait(person, 'mine', /That is a wallet of your own/);
    const leader = someWallet();
    for (const says of [/^one · /, /You follow this wallet already/]) {
      await sayAndWait(person, '/home', /Send a name/);
      await tapAndWait(person, 'Following', /^Following/);
      await tapAndWait(person, 'Follow a wallet', /Which wallet/);
      await sayAndWait(person, leader, /Give it a name/);
      await sayAndWait(person, 'one', says);
    }
    for (let n = 1; n < FOLLOW_LIMITS.perPerson; n += 1)
      await rig.db.follows.insert(followRow(userId, { label: `w${n}` }));
    await expect(
      rig.services.follows.follow({ userId, text: someWallet(), label: 'x' }),
    ).rejects.toMatchObject({ code: 'FOLLOW_REFUSED', details: { kind: 'too-many', max: 20 } });
    expect(await rig.db.follows.listByUser(userId)).toHaveLength(FOLLOW_LIMITS.perPerson);
  });

  it('shows a hundred rows in pages of five, and the trades of one with the way to its token', async () => {
    const { person, userId } = await onList('Pager');
    const mint = rig.token('PUP').mint as never;
    for (let n = 0; n < 12; n += 1)
      await rig.db.follows.insert(
        followRow(userId, { id: `01FOLLOW0000000000000000${n + 10}`, label: `w${n}` }),
      );
    const [first] = await rig.db.follows.listByUser(userId);
    const leader = first?.leader ?? someWallet();
    await rig.db.follows.record([
      leaderTradeRow({ leader, mint, units: 5_000_000n, paid: null, at: rig.clock.now() + 60_000 }),
    ]);
    await tapAndWait(person, 'Refresh', /Following · 12 · page 1 of 3\n1 w0[\s\S]*5 w4/);
    await tapAndWait(person, '›', /page 2 of 3\n6 w5/);
    await tapAndWait(person, '‹', /page 1 of 3/);
    await tapAndWait(person, 'w0', /^w0 · [\s\S]*🟢 5 PUP/);
    await tapAndWait(person, 'PUP', /^PUP[\s\S]*· cap /);
  });
});
