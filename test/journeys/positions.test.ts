import {
  createAssociatedTokenAccountIdempotentInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { Connection, Keypair, PublicKey, Transaction } from '@solana/web3.js';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { foldPositions } from '../../src/modules/positions/use/fold-positions.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';
import { labels, sayAndWait, tapAndWait } from './token-wizard.ts';

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('positions', { spendCapLamports: 100_000_000_000n });
});
afterAll(() => rig.stop());

/** An account that a stranger opened and paid for, as the last unit of an airdrop leaves it. */
async function openEmptyAccount(owner: Address, mint: string): Promise<void> {
  const payer = Keypair.generate();
  await rig.fund(address(payer.publicKey.toBase58()), 1_000_000_000n);
  const [holder, token] = [new PublicKey(owner), new PublicKey(mint)];
  const account = getAssociatedTokenAddressSync(token, holder);
  const opening = new Transaction().add(
    createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, account, holder, token),
  );
  await new Connection(rig.local.rpcUrl, 'confirmed').sendTransaction(opening, [payer]);
  await until(async () => (await rig.services.emptyAccounts.find(owner)).empty === 1);
}

describe('positions in the chat', () => {
  it('show what a sale would bring net, what was paid, and the profit of a sale in SOL and percent', async () => {
    const { person } = await rig.trader('Ann', 10n);
    const { mint } = rig.token('PUP');
    await sayAndWait(person, '/positions', /Nothing here yet/);
    await sayAndWait(person, mint, /\n\S+( SOL)? · cap |No market/);
    await tapAndWait(person, '🟢 0.5', /At least/);
    await tapAndWait(person, 'Confirm buy', /^Bought/);
    const user = await rig.db.users.findByTelegramId(BigInt(person.user.id));
    const userId = user?.id ?? '';
    await until(async () => (await foldPositions(rig.db, userId)).positions.length > 0);

    const list = await sayAndWait(person, '/positions', /Positions/);
    // A fee of 1 % each way and the price's own move: a loss of some percent, never a gain.
    // Nothing was held at midnight, so the day is the purchase and what it is worth now.
    expect(list.text).toMatch(/\n\$\d+\.\d\d \(0\.4\d+ SOL\) · today −\$\d+\.\d\d\n/);
    expect(list.text).toMatch(/1 PUP \$[\d.]+ · −\d+(\.\d)?%/);
    expect(labels(list)).toContain('Portfolio');

    const one = await tapAndWait(person, 'PUP', /Paid /);
    expect(one.text).toMatch(
      /\n−\$\d+\.\d\d \(−\d+(\.\d)?%\) −0\.0\d+ SOL\nSold now: \$\d+\.\d\d \(0\.4\d+ SOL\)/,
    );
    expect(one.text).toMatch(/\nEntry \$[\d.₀-₉]+ → now \$[\d.₀-₉]+\nPaid \$\d+\.\d\d · taken out \$0\.00\n/);
    expect(labels(one)).toEqual(
      expect.arrayContaining(['🔴 25%', '🔴 50%', '🔴 100%', 'Buy 0.5 SOL', 'Hide']),
    );

    await tapAndWait(person, 'Hide', /Nothing here yet/);
    const hidden = await tapAndWait(person, 'Hidden 1', /Hidden positions/);
    expect(hidden.text).toMatch(/1 PUP/);
    await tapAndWait(person, 'PUP', /Paid /);
    await tapAndWait(person, 'Show again', /1 PUP/);

    await tapAndWait(person, 'PUP', /Paid /);
    const asked = await tapAndWait(person, '🔴 100%', /You get about/);
    expect(asked.text).toMatch(/Account deposit 0\.00203928 SOL comes back/);
    const sold = await tapAndWait(person, 'Confirm sell', /^Sold/);
    expect(sold.text).toMatch(/\nAccount deposit returned: 0\.00203928 SOL/);
    expect(sold.text).toMatch(/\n−\$\d+\.\d\d \(−\d+(\.\d)?%\) −0\.0\d+ SOL\n\$[\d.]+ → \$[\d.]+/);
    await until(async () => (await foldPositions(rig.db, userId)).positions[0]?.units === 0n);
    const { positions } = await foldPositions(rig.db, userId);
    expect(positions[0]).toMatchObject({ cost: 0n });
    expect(await sayAndWait(person, '/positions', /Nothing here yet/)).toMatchObject({
      text: expect.stringMatching(/7 days −\$\d+\.\d\d · fees \$\d+\.\d\d/) as unknown,
    });
  });

  it('bring the rent of empty accounts back, to the lamport that was shown', async () => {
    const { person, wallet } = await rig.trader('Clara', 5n);
    expect((await rig.services.emptyAccounts.find(wallet.address)).empty).toBe(0);
    await openEmptyAccount(wallet.address, rig.token('PUP').mint);
    await sayAndWait(person, '/positions', /Nothing here yet/);
    const asked = await tapAndWait(person, 'Clean up 1', /Clean up/);
    expect(asked.text).toMatch(/0\.00203928 SOL.*Network fee at most/s);
    const before = await rig.chain.balance(wallet.address);
    const closed = await tapAndWait(
      person,
      'Close 1 and take 0.00203928 SOL back',
      /^Empty accounts closed: 1/,
    );
    expect(closed.text).toMatch(/0\.00203928 SOL came back/);
    const [intent] = await rig.db.intents.listByUser((await rig.user(person)).id, {
      limit: 1,
      kinds: ['close-accounts'],
    });
    await until(async () => (await rig.db.intents.find(intent?.id ?? ''))?.status === 'SUCCEEDED');
    const receipt = (await rig.db.intents.find(intent?.id ?? ''))?.outcome?.receipt;
    expect(await rig.chain.balance(wallet.address)).toBe(before + 2_039_280n - (receipt?.feeLamports ?? 0n));
    expect(receipt).toMatchObject({ rentLamports: -2_039_280n, tokenDeltas: expect.anything() as unknown });
    expect((await rig.services.emptyAccounts.find(wallet.address)).empty).toBe(0);
    // The button of before names nothing any more.
    await expect(
      rig.services.emptyAccounts.quote({ userId: wallet.userId ?? '', walletId: wallet.id, tier: 'normal' }),
    ).rejects.toMatchObject({ code: 'NOTHING_TO_CLEAN_UP' });
  });

  it('are handed out as a file that has every event', async () => {
    const { person } = await rig.trader('Cleo', 5n);
    await sayAndWait(person, rig.token('PUP').mint, /\n\S+( SOL)? · cap |No market/);
    await tapAndWait(person, '🟢 0.5', /At least/);
    await tapAndWait(person, 'Confirm buy', /^Bought/);
    const user = await rig.db.users.findByTelegramId(BigInt(person.user.id));
    // A file names what no fork can take back.
    await until(async () => (await foldPositions(rig.db, user?.id ?? '')).positions[0]?.notFinal === 0);
    await sayAndWait(person, '/setting', /Settings/);
    await tapAndWait(person, 'Export', /exact amounts/);
    await person.tap('For Koinly (CSV)');
    const message = await person.waitFor((_text, { document }) => document !== undefined);
    const file = rig.telegram.core.world.files.get(message.document?.file_id ?? '');
    const csv = new TextDecoder().decode(file?.bytes);
    expect(message.document?.file_name).toBe('koinly.csv');
    expect(csv.split('\r\n')[1]).toMatch(/^[\d: -]+ UTC,0\.4950*,SOL,[\d.]+,PUP,0\.0050\d+,SOL,,,,buy /);
  });

  it('are drawn as a result card and as a portfolio', async () => {
    const { person } = await rig.trader('Ben', 5n);
    await sayAndWait(person, rig.token('KOI').mint, /\n\S+( SOL)? · cap |No market/);
    await tapAndWait(person, '🟢 0.5', /At least/);
    await tapAndWait(person, 'Confirm buy', /^Bought/);
    const user = await rig.db.users.findByTelegramId(BigInt(person.user.id));
    await until(async () => (await foldPositions(rig.db, user?.id ?? '')).positions.length > 0);
    await sayAndWait(person, '/positions', /1 KOI/);
    await tapAndWait(person, 'KOI', /Paid /);
    await person.tap('PnL card');
    const card = await person.waitFor((_text, message) => message.photo !== undefined);
    expect(card.caption).toMatch(/net of all fees/);
    await person.tap('Back');
    await person.waitFor(/1 KOI/);
    await person.tap('Portfolio');
    expect(
      (await person.waitFor((_text, message) => /day by day/.test(message.caption ?? ''))).photo,
    ).toBeDefined();
  });
});
