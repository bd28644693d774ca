import { addressFromBytes } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeTable } from '../../../src/engine/lookup-tables/use/close-table.ts';
import { carryOutSync, planSync } from '../../../src/engine/lookup-tables/use/sync-tables.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import { type DeskRig, startDeskRig } from '../../modules/trading/desk-rig.ts';
import { CLASSIC_MINIMUM } from '../../support/rent.ts';
import { startTableRig } from './table-rig.ts';

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('lut-sync', { version1: false });
});
afterAll(() => rig.stop());

const strangers = (count: number, of = 0) =>
  Array.from({ length: count }, (_, n) => {
    const bytes = new Uint8Array(32).fill(7);
    new DataView(bytes.buffer).setUint32(0, of * 1_000 + n);
    return addressFromBytes(bytes);
  });

describe('lookup tables of the operator', () => {
  it('are made of what repeats, cost what was said, and may be used at the end', async () => {
    const operator = await startTableRig(rig);
    const wanted = await operator.wanted();
    expect(wanted).toContain(rig.treasury);
    expect(wanted).toContain(rig.token('BAO').mint);
    // A maker signs and a trader is somebody else every time: neither may stand in a table.
    for (const { id, vaultA, vaultB } of rig.local.world.pools) {
      expect(wanted).not.toContain(id);
      expect(wanted).toEqual(expect.arrayContaining([vaultA, vaultB]));
    }
    const before = await rig.chain.balance(operator.key.address);
    const plan = await operator.sync(wanted);
    expect(plan).toMatchObject({ entries: wanted.length, makes: [wanted], fills: [] });
    const [table, ...more] = await operator.lookupTables().verified();
    expect(more).toEqual([]);
    expect(table?.entries).toEqual(wanted);
    const spent = before - (await rig.chain.balance(operator.key.address));
    expect(spent).toBeGreaterThan(plan.rentLamports);
    expect(spent).toBeLessThanOrEqual(plan.rentLamports + plan.feesUpToLamports);
    expect((await rig.chain.accounts([table?.address ?? rig.wallet])).accounts[0]?.lamports).toBe(
      plan.rentLamports,
    );
    expect(await planSync(operator.deps, operator.key.address, wanted)).toMatchObject({
      entries: 0,
      makes: [],
      fills: [],
      rentLamports: 0n,
    });
  });

  it('go on where a run was killed, whatever had been sent by then', async () => {
    const operator = await startTableRig(rig);
    const wanted = strangers(60);
    let sends = 0;
    const dying: Chain = {
      ...rig.chain,
      send: async (bytes) => {
        sends += 1;
        const outcome = await rig.chain.send(bytes);
        // Dies after the bytes left: they land and nobody here hears of it.
        if (sends === 2) throw new Error('killed');
        return outcome;
      },
    };
    const plan = await planSync(operator.deps, operator.key.address, wanted);
    await expect(
      carryOutSync({ ...operator.deps, chain: dying }, operator.key, plan, () => undefined),
    ).rejects.toThrow('killed');
    rig.confirmSlots();
    const second = await planSync(operator.deps, operator.key.address, wanted);
    expect(second).toMatchObject({ entries: 36, makes: [] });
    await carryOutSync(operator.deps, operator.key, second, () => undefined);
    const tables = await operator.lookupTables().verified();
    expect(tables.map(({ entries }) => entries)).toEqual([wanted]);
  });

  it('forget a table that never came to be, and fill one before making the next', async () => {
    const operator = await startTableRig(rig);
    await operator.store.insert({
      address: strangers(1, 9)[0] ?? rig.wallet,
      authority: operator.key.address,
      entries: strangers(3),
      createdAt: 0,
      closingAt: null,
    });
    await operator.sync(strangers(10));
    expect(await operator.store.list()).toHaveLength(1);
    await rig.airdrop(operator.key.address, 1_000_000_000n);
    const wanted = [...strangers(10), ...strangers(250, 1)];
    const plan = await planSync(operator.deps, operator.key.address, wanted, 512);
    expect(plan).toMatchObject({ entries: 250 });
    expect(plan.makes.map(({ length }) => length)).toEqual([4]);
    expect(plan.fills.map(({ entries }) => entries.length)).toEqual([256]);
    // Within the 256 of one table nothing more is made.
    expect((await planSync(operator.deps, operator.key.address, wanted)).makes).toEqual([]);
  });

  it('are closed in two steps that bring the rent back; nothing is built with one from the first on', async () => {
    const operator = await startTableRig(rig);
    await operator.sync(strangers(5, 3));
    const [row] = await operator.store.list();
    const table = row?.address ?? rig.wallet;
    const { deps, key } = operator;
    expect(await closeTable(deps, key, table)).toMatchObject({ kind: 'deactivated' });
    expect(await operator.lookupTables().verified()).toEqual([]);
    expect(await closeTable(deps, key, table)).toMatchObject({ kind: 'cooling' });
    const { blockhash } = await rig.chain.latestBlockhash();
    rig.local.advanceSlots(520);
    // The client keeps a blockhash for about a slot, and here three minutes pass in none.
    await vi.waitFor(async () => {
      expect((await rig.chain.latestBlockhash()).blockhash).not.toBe(blockhash);
    });
    const before = await rig.chain.balance(key.address);
    const closed = await closeTable(deps, key, table);
    expect(closed.kind === 'closed' && closed.refundLamports).toBeGreaterThan(CLASSIC_MINIMUM);
    expect(await rig.chain.balance(key.address)).toBeGreaterThan(before);
    expect(await operator.store.list()).toEqual([]);
    await expect(closeTable(deps, key, table)).rejects.toThrow('is none of the tables');
  });

  it('are not closed with a key that they do not belong to', async () => {
    const operator = await startTableRig(rig);
    await operator.sync(strangers(2, 4));
    const [row] = await operator.store.list();
    const other = await startTableRig(rig);
    await expect(closeTable(operator.deps, other.key, row?.address ?? rig.wallet)).rejects.toThrow(
      'belongs to',
    );
    expect(await operator.lookupTables().verified()).toHaveLength(1);
  });
});
