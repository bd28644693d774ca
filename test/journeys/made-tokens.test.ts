import {
  createAssociatedTokenAccountIdempotentInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
} from '@solana/spl-token';
import { Connection, Keypair, PublicKey, Transaction } from '@solana/web3.js';
import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { type JourneyRig, PIN, startJourneyRig, until } from './rig.ts';
import { begin, buttons, labels, made, sayAndWait, tapAndWait, usual } from './token-wizard.ts';

const SOL = 1_000_000_000n;
const FEE = 20_000_000n;
const SUPPLY = 10n ** 15n;

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('made-tokens');
});
afterAll(() => rig.stop());

/** The desk makes a market in any mint: whoever fills the two accounts that it names opens it. Nobody here holds its key. */
async function openMarket(mint: Address): Promise<Address> {
  const answer = await fetch(`${rig.local.deskUrl}/launch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mint }),
  });
  const { maker } = (await answer.json()) as { readonly maker: string };
  const payer = Keypair.generate();
  await rig.fund(address(payer.publicKey.toBase58()), SOL);
  const owner = new PublicKey(maker);
  const vault = getAssociatedTokenAddressSync(NATIVE_MINT, owner, true);
  const opening = new Transaction().add(
    createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, vault, owner, NATIVE_MINT),
  );
  const connection = new Connection(rig.local.rpcUrl, 'confirmed');
  await connection.sendTransaction(opening, [payer]);
  await until(() => connection.getAccountInfo(vault));
  return address(maker);
}

describe('A token that was made here', () => {
  it.each(['token', 'token2022'])(
    'as a %s can be withdrawn by its creator, and bought and sold by others, once it has a market',
    async (type) => {
      const { person: creator, wallet } = await rig.trader(`Creator of ${type}`, 2n);
      await usual(creator, type, 'MKT');
      await tapAndWait(creator, 'Review', /What buyers will see/);
      const { mint } = await made(creator);
      const maker = await openMarket(mint);
      // Its market has no SOL yet, so nobody pays anything for it.
      await rig.addAuthenticator(creator);
      await creator.say('/withdraw_spl');
      await creator.waitFor(/Which token/);
      await creator.tap(/MKT|…/);
      await creator.waitFor(/which Solana address/);
      await sayAndWait(creator, maker, /How much/);
      await sayAndWait(creator, '800000000', /cannot be undone/);
      await rig.confirmWithPin(creator);
      await creator.waitFor(/^Sent .*\(in \d/);
      const units = async (of: Address) =>
        (await rig.chain.holdings(of)).find((holding) => holding.mint === mint)?.amount ?? 0n;
      expect([await units(wallet.address), await units(maker)]).toEqual([SUPPLY / 5n, (SUPPLY * 4n) / 5n]);

      const { person: buyer, wallet: buying } = await rig.trader(`Buyer of ${type}`, 2n);
      // A market that opened a moment ago is seen when what was read before is two seconds old.
      await until(async () =>
        labels(await sayAndWait(buyer, mint, /\n\S+( SOL)? · cap |No market/)).some(
          (label) => label === '🟢 0.5',
        ),
      );
      await tapAndWait(
        buyer,
        '🟢 0.5',
        /Needs your PIN\. This token was made with this service\. No record shows/,
      );
      // From a pasted address to a first purchase that needs a PIN: two taps and three messages.
      await tapAndWait(buyer, 'Confirm buy', /you have none yet[\s\S]*Choose a PIN: send 6 digits now/);
      await sayAndWait(buyer, PIN, /once more/);
      await sayAndWait(buyer, PIN, /^Bought .* for 0\.5 SOL/);
      const bought = await units(buying.address);
      expect(bought).toBeGreaterThan(SUPPLY / 100n);
      expect(await units(maker)).toBe((SUPPLY * 4n) / 5n - bought);
      await sayAndWait(buyer, mint, /\n\S+( SOL)? · cap |No market/);
      await tapAndWait(buyer, '🔴 100%', /Sell [\s\S]*At least/);
      await tapAndWait(buyer, 'Confirm sell', /^Sold/);
      expect([await units(buying.address), await units(maker)]).toEqual([0n, (SUPPLY * 4n) / 5n]);
    },
  );
});

describe('A creation in two transactions whose second one fails', () => {
  it('is finished by the missing half alone, once, however many taps there are at the same moment', async () => {
    const { person, wallet } = await rig.trader('Half', 2n);
    const other = address(Keypair.generate().publicKey.toBase58());
    await begin(person);
    await tapAndWait(person, 'token2022', /The symbol/);
    await sayAndWait(person, 'S'.repeat(10), /The name/);
    await sayAndWait(person, 'N'.repeat(32), /Send a picture/);
    await sayAndWait(person, `https://meta.example.org/${'u'.repeat(175)}`, /Decimals/);
    await tapAndWait(person, '6', /How many tokens/);
    await tapAndWait(person, '1,000,000,000', /Who gets them/);
    await tapAndWait(person, 'Main', /What you keep/);
    for (const [power, state] of [
      ['Mint authority', '–'],
      ['Metadata authority', '–'],
      ['Freeze authority', '✓'],
      ['Born frozen', '✓'],
    ] as const) {
      await tapAndWait(person, new RegExp(power), new RegExp(`${state} ${power}`));
    }
    for (const [power, answer] of [
      ['Transfer fee', '1.5 1000'],
      ['Interest', '5'],
      ['Permanent delegate', other],
      ['Close authority', other],
    ] as const) {
      await person.tap(new RegExp(power));
      await sayAndWait(person, answer, new RegExp(`✓ ${power}`));
    }
    const review = await tapAndWait(person, 'Review', /two transactions/);

    // Between the review and the tap most of the money goes elsewhere: what is left pays for the mint and not for the rest.
    await sayAndWait(person, rig.token('PUP').mint, /\n\S+( SOL)? · cap |No market/);
    await tapAndWait(person, '🟢 X', /How much SOL/);
    await sayAndWait(person, '1.98', /You get about/);
    await tapAndWait(person, 'Confirm buy', /^Bought [\s\S]* · final/);
    const treasuryBefore = await rig.chain.balance(rig.treasury.address);
    await person.tap({ data: dataOf(review, 'Create token') }, review.message_id);
    const failed = await person.waitFor(
      (text, shown) => /Nothing was sent/.test(text) && labels(shown).length > 0,
    );
    expect(failed.text).toMatch(/S{10}/);
    expect(labels(failed)).toContain('Finish');
    const [first] = (await rig.intents(person)).filter(({ kind }) => kind === 'prepare-token');
    expect(first?.status).toBe('SUCCEEDED');
    const mint = address(first?.outcome?.receipt?.createdMint ?? '');
    expect(failed.text).toContain(mint);
    expect(await rig.chain.token(mint)).toMatchObject({ supply: 0n, mintAuthority: wallet.address });
    expect(await rig.chain.balance(rig.treasury.address)).toBe(treasuryBefore);

    await rig.fund(wallet.address, SOL);
    const before = await rig.chain.balance(wallet.address);
    await Promise.all([
      person.tap('Finish', failed.message_id),
      person.tap('Finish', failed.message_id),
      person.tap('Finish', failed.message_id),
    ]);
    const done = await person.waitFor(
      (text, shown) => /^Created S{10} .*\(final\)/s.test(text) && labels(shown).includes('Give up powers'),
    );
    expect(done.text).toContain(mint);
    // The other taps do not leave a message that waits for ever.
    await until(async () => (await person.transcript()).match(/asked for already/g)?.length === 2);
    expect(buttons(done).map(({ text }) => text)).not.toContain('Finish');

    const halves = (await rig.intents(person)).filter(({ kind }) => kind === 'create-token');
    // The one that failed and one successor.
    expect(halves.map(({ status }) => status).toSorted()).toEqual(['REJECTED', 'SUCCEEDED']);
    const second = halves.find(({ status }) => status === 'SUCCEEDED');
    const attempts = await rig.db.intents.attempts(second?.id ?? '');
    expect(attempts).toHaveLength(1);
    // One signature, the wallet's: no new mint has signed.
    expect(attempts[0]?.signedTransaction[0]).toBe(1);
    const receipt = second?.outcome?.receipt;
    expect(receipt).toMatchObject({ createdMint: mint, platformFeeLamports: FEE });
    expect(before - (await rig.chain.balance(wallet.address))).toBe(
      FEE + (receipt?.rentLamports ?? 0n) + (receipt?.feeLamports ?? 0n),
    );
    const rpc = new Connection(rig.local.rpcUrl, 'confirmed');
    const history = await rpc.getSignaturesForAddress(new PublicKey(mint));
    expect(history.map(({ err }) => err)).toEqual([null, null]);
    const [account] = (await rig.chain.accounts([mint])).accounts;
    const data = account?.data ?? new Uint8Array();
    expect(new DataView(data.buffer, data.byteOffset).getBigUint64(36, true)).toBe(SUPPLY);
    // The mint authority was to be given up, and it is.
    expect([...data.subarray(0, 4)]).toEqual([0, 0, 0, 0]);

    rig.breathe();
    // The old button, still in somebody's chat history, leads to what came of it.
    await person.tap({ data: dataOf(failed, 'Finish') }, failed.message_id);
    await person.waitFor(/asked for already/);
    expect((await rig.intents(person)).filter(({ kind }) => kind === 'create-token')).toHaveLength(2);
  });
});

const dataOf = (message: { reply_markup?: unknown }, label: string): string =>
  (buttons(message).find(({ text }) => text === label) as { callback_data?: string } | undefined)
    ?.callback_data ?? '';
