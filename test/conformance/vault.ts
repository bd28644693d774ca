import type { Address } from '@tradepost/solana';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CreateTokenParams } from '../../src/engine/intents/kinds/create-token/params.ts';
import type { IntentParams } from '../../src/engine/intents/kinds/params.ts';
import type { Intent } from '../../src/engine/intents/rules/intent.ts';
import { payoutHold, tradeFeeTransfer } from '../../src/engine/ledger/rules/postings.ts';
import type { Wallet } from '../../src/modules/wallets/rules/wallet.ts';
import { createMessageCompiler } from '../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { addressOf, buildIntent } from '../engine/intents/build.ts';
import { insertUser } from '../support/chat/people.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { fakePins, givePin, TEST_PIN } from '../support/fakes/pins.ts';
import { PASSED } from '../support/passed.ts';
import { testSigner } from '../support/signer.ts';
import { isSignedBy } from './key-holder.ts';

type Clock = ReturnType<typeof fakeClock>;
type LogLine = { readonly fields: object; readonly message: string };
type Person = { readonly userId: string; readonly wallet: Wallet };

const STRANGER = addressOf(66);
const programs = createPrograms();
const compiler = createMessageCompiler();

const CREATION: CreateTokenParams = {
  kind: 'create-token',
  spec: { name: 'Koi', symbol: 'KOI', decimals: 6, supply: 1_000n } as unknown as CreateTokenParams['spec'],
  way: 'metaplex' as CreateTokenParams['way'],
  uri: 'https://example.org/koi.json',
  metadataHash: null,
  recordLamports: 1n,
  mintRentLamports: 2n,
  holdingRentLamports: 3n,
  feeLamports: 4n,
  tier: 'normal',
};

/**
 * What every vault promises to the rest of the program, whichever process holds the keys. `open` puts the way to it in front of
 * the signer that it is given.
 */
export function describeVault(
  title: string,
  open: (signer: Vault) => Promise<{ readonly vault: Vault; readonly close: () => Promise<void> }>,
): void {
  describe(title, () => {
    let db: Database;
    let clock: Clock;
    let ids: ReturnType<typeof fakeIds>;
    let vault: Vault;
    let pins: ReturnType<typeof fakePins>;
    let log: LogLine[];
    let ann: Person;
    let bob: Person;
    let treasury: Wallet;

    beforeEach(async () => {
      db = fakeDatabase({ trusting: true });
      clock = fakeClock();
      ids = fakeIds(5);
      pins = fakePins();
      log = [];
      const note = (fields: object, message: string) => void log.push({ fields, message });
      const opened = await open(testSigner({ db, clock }, { pins, log: { error: note, warn: note } }));
      ({ vault } = opened);
      treasury = await walletFor(null);
      ann = await person(1n);
      bob = await person(2n);
      return opened.close;
    });

    async function walletFor(userId: string | null, name = 'Main'): Promise<Wallet> {
      const id = ids.ulid();
      const secret = await vault.create({ walletId: id, userId });
      const wallet: Wallet = {
        id,
        userId,
        name,
        address: secret.publicKey,
        createdAt: 0,
        deletedAt: null,
        origin: 'made',
        confirmedAt: null,
        payoutFrom: null,
      };
      await db.wallets.insert(PASSED, wallet, secret);
      return wallet;
    }
    async function person(telegramId: bigint): Promise<Person> {
      const { id: userId } = await insertUser(db, ids, telegramId);
      await givePin(db, pins, userId);
      return { userId, wallet: await walletFor(userId) };
    }
    const paying = (lamports = 1_000_000n, destination: Address = addressOf(3)): IntentParams => ({
      kind: 'withdraw-sol',
      destination,
      lamports,
      everything: false,
      tier: 'normal',
    });
    /** What the person confirmed, as a row that is not stored yet. */
    async function confirmed(
      who: Person,
      params: IntentParams,
      change: Partial<Intent> = {},
    ): Promise<Intent> {
      const request = {
        id: ids.ulid(),
        idemKey: ids.token(),
        userId: who.userId,
        walletId: who.wallet.id,
        params,
      };
      const confirmation = await vault.confirm(request, TEST_PIN);
      return buildIntent({ ...request, confirmation, createdAt: clock.now(), ...change });
    }
    async function stored(intent: Intent): Promise<Intent> {
      return (await db.intents.insert(intent)).intent;
    }
    function messageOf(
      intent: Pick<Intent, 'id'>,
      from: Address,
      pays: readonly { readonly to: Address; readonly lamports: bigint }[],
    ): Uint8Array {
      return compiler.compile({
        payer: from,
        blockhash: addressOf(99),
        instructions: [
          programs.memo(intent.id),
          ...pays.map(({ to, lamports }) => programs.transferSol({ from, to, lamports })),
        ],
      }).bytes;
    }
    const pay = (intent: Intent, from: Wallet, to = addressOf(3), lamports = 1_000_000n) =>
      vault.sign({ intentId: intent.id, message: messageOf(intent, from.address, [{ to, lamports }]) });
    const denied = (rule: string) => ({ code: 'POLICY_DENIED', details: { rule } });
    /** Refused by this rule, and the operator was told so. */
    async function refuses(signing: Promise<unknown>, rule: string): Promise<void> {
      await expect(signing).rejects.toMatchObject(denied(rule));
      expect(log.at(-1)).toMatchObject({ fields: { rule }, message: expect.stringContaining('not signed') });
    }

    it('signs what a person confirmed, from the stored row alone', async () => {
      const intent = await stored(await confirmed(ann, paying()));
      const message = messageOf(intent, ann.wallet.address, [{ to: addressOf(3), lamports: 1_000_000n }]);
      const signature = await vault.sign({ intentId: intent.id, message });
      expect(isSignedBy(ann.wallet.address, message, signature)).toBe(true);
      expect(log).toEqual([]);
    });

    it('signs nothing for a message that is not what the intent says', async () => {
      const intent = await stored(await confirmed(ann, paying()));
      await refuses(pay(intent, ann.wallet, STRANGER), 'sol-destination');
      await refuses(pay(intent, ann.wallet, addressOf(3), 1_000_001n), 'sol-amount');
      await refuses(vault.sign({ intentId: intent.id, message: new Uint8Array(10) }), 'message');
    });

    it.each<[string, (intent: Intent) => Partial<Intent>, string]>([
      ['another destination', () => ({ params: paying(1_000_000n, STRANGER) }), 'confirmation'],
      ['another amount', () => ({ params: paying(2_000_000n) }), 'confirmation'],
      [
        'everything instead of the amount',
        (i) => ({ params: { ...i.params, everything: true } as never }),
        'confirmation',
      ],
      [
        'a value that nobody confirmed',
        (i) => ({ params: { ...i.params, extra: 1 } as never }),
        'confirmation',
      ],
      ['another key', () => ({ idemKey: 'somebody-else' }), 'confirmation'],
      ['another id', () => ({ id: '01J8ZQ6Y7V3M9T2K4C5D6E7F99' }), 'confirmation'],
      ['no code', () => ({ confirmation: null }), 'unconfirmed'],
      ['an empty code', () => ({ confirmation: '' }), 'confirmation'],
      ['a code of its own', () => ({ confirmation: 'A'.repeat(43) }), 'confirmation'],
      ['another kind', () => ({ kind: 'buy' as const }), 'confirmation'],
      ['nobody as its person', () => ({ userId: null }), 'foreign-wallet'],
    ])('signs nothing for a row with %s', async (_, change, rule) => {
      const honest = await confirmed(ann, paying());
      const forged = await stored({ ...honest, ...change(honest) });
      const { params } = forged;
      const to = params.kind === 'withdraw-sol' ? params : { destination: STRANGER, lamports: 1n };
      await refuses(pay(forged, ann.wallet, to.destination, to.lamports), rule);
    });

    it('signs nothing for the intent of another wallet or person', async () => {
      const other = await walletFor(ann.userId, 'Other');
      const honest = await confirmed(ann, paying());
      const moved = await stored({ ...honest, walletId: other.id });
      await refuses(pay(moved, other), 'confirmation');
      const stolen = await stored({ ...(await confirmed(ann, paying())), walletId: bob.wallet.id });
      await refuses(pay(stolen, bob.wallet), 'foreign-wallet');
      const taken = await stored({
        ...(await confirmed(ann, paying())),
        userId: bob.userId,
        walletId: bob.wallet.id,
      });
      await refuses(pay(taken, bob.wallet), 'confirmation');
      // The right intent with a message that another wallet pays.
      const own = await stored(await confirmed(ann, paying()));
      await refuses(pay(own, bob.wallet), 'signers');
      await refuses(pay({ ...own, id: ids.ulid() }, ann.wallet), 'not-open');
    });

    it('takes no code of one request for another', async () => {
      const cheap = await confirmed(ann, paying(1n));
      const dear = await confirmed(ann, paying(1_000_000n));
      await refuses(
        pay(await stored({ ...dear, confirmation: cheap.confirmation }), ann.wallet),
        'confirmation',
      );
    });

    it('signs nothing that has ended, is not due, or is switched off', async () => {
      const ended = await stored(await confirmed(ann, paying(), { status: 'SUCCEEDED' }));
      await refuses(pay(ended, ann.wallet), 'not-open');
      const later = await stored(await confirmed(ann, paying(), { notBefore: clock.now() + 1_000 }));
      await refuses(pay(later, ann.wallet), 'not-due');
      const due = await stored(await confirmed(ann, paying()));
      for (const flag of ['signing-paused', 'withdrawals-paused'] as const) {
        await db.flags.set(flag, true, 0);
        await expect(pay(due, ann.wallet)).rejects.toMatchObject({ code: 'SIGNING_PAUSED' });
        await db.flags.set(flag, false, 0);
      }
      await db.guards.save({ ...(await db.guards.find(ann.userId)), frozenAt: clock.now() }, PASSED);
      await expect(pay(due, ann.wallet)).rejects.toMatchObject({ code: 'SIGNING_PAUSED' });
    });

    describe('what is confirmed', () => {
      const request = (params: IntentParams) => ({
        id: ids.ulid(),
        idemKey: 'k',
        userId: ann.userId,
        walletId: ann.wallet.id,
        params,
      });

      it('takes the PIN where money leaves, from no process without one', async () => {
        await expect(vault.confirm(request(paying()), null)).rejects.toMatchObject({ code: 'PIN_REQUIRED' });
        await expect(vault.confirm(request(paying()), '111222')).rejects.toMatchObject({ code: 'PIN_WRONG' });
        const tokens = { ...paying(), kind: 'withdraw-token' } as unknown as IntentParams;
        await expect(vault.confirm(request(tokens), null)).rejects.toMatchObject({ code: 'PIN_REQUIRED' });
        expect(await vault.confirm(request(CREATION), null)).toMatch(/^[\w-]{43}$/);
      });

      it('is never a payout', async () => {
        await expect(vault.confirm(request({ kind: 'payout', items: [] }), TEST_PIN)).rejects.toMatchObject(
          denied('unconfirmed'),
        );
      });

      it('compares twenty wrong PINs in an hour, though somebody sets the count in the database back', async () => {
        const before = pins.compared();
        const guess = async (n: number) => {
          await givePin(db, pins, ann.userId);
          return vault.verifyPin({ userId: ann.userId, pin: String(200_000 + n) });
        };
        for (let n = 0; n < 20; n += 1) await expect(guess(n)).rejects.toMatchObject({ code: 'PIN_WRONG' });
        for (let n = 0; n < 10; n += 1) await expect(guess(n)).rejects.toMatchObject({ code: 'PIN_LOCKED' });
        await expect(vault.confirm(request(paying()), TEST_PIN)).rejects.toMatchObject({
          code: 'PIN_LOCKED',
        });
        expect(pins.compared() - before).toBe(20);
        clock.advance(3_600_000);
        await givePin(db, pins, ann.userId);
        await vault.verifyPin({ userId: ann.userId, pin: TEST_PIN });
      });
    });

    describe('what nobody confirms', () => {
      /** A payout of the books: the fee came in, the share was held. */
      async function held(
        items: readonly {
          readonly inviterId: string;
          readonly recipient: Address;
          readonly lamports: bigint;
        }[],
      ): Promise<Intent> {
        const id = ids.ulid();
        for (const { inviterId, lamports } of items) {
          await db.ledger.post(
            tradeFeeTransfer(
              { id: ids.ulid(), createdAt: 0 },
              {
                intentId: id,
                signature: ids.token(),
                feeLamports: lamports,
                inviter: { id: inviterId, shareLamports: lamports },
              },
            ),
          );
        }
        await db.ledger.post(payoutHold({ id: ids.ulid(), createdAt: 0 }, id, items));
        return buildIntent({
          id,
          userId: null,
          walletId: treasury.id,
          idemKey: `payout/${id}`,
          params: { kind: 'payout', items },
          createdAt: clock.now(),
        });
      }
      const payOut = (intent: Intent, from = treasury) =>
        vault.sign({
          intentId: intent.id,
          message: messageOf(
            intent,
            from.address,
            intent.params.kind === 'payout'
              ? intent.params.items.map(({ recipient: to, lamports }) => ({ to, lamports }))
              : [],
          ),
        });
      const owed = () => [{ inviterId: ann.userId, recipient: ann.wallet.address, lamports: 5_000n }];

      it('is signed as the books hold it', async () => {
        const intent = await stored(await held(owed()));
        expect(await payOut(intent)).toHaveLength(64);
      });

      it('is not signed for more, for somebody else, twice, or without books', async () => {
        const params = (change: object): IntentParams => ({
          kind: 'payout',
          items: owed().map((item) => ({ ...item, ...change })),
        });
        const forged = async (change: Partial<Intent>) => stored({ ...(await held(owed())), ...change });
        await refuses(payOut(await forged({ params: params({ lamports: 5_001n }) })), 'payout-books');
        await refuses(payOut(await forged({ params: params({ inviterId: bob.userId }) })), 'payout-books');
        await refuses(
          payOut(await forged({ params: { kind: 'payout', items: [...owed(), ...owed()] } })),
          'payout-books',
        );
        await refuses(payOut(await forged({ id: ids.ulid() })), 'payout-books');
        await refuses(payOut(await forged({ params: { kind: 'payout', items: [] } })), 'payout-books');
        await refuses(
          payOut(await forged({ params: params({ recipient: bob.wallet.address }) })),
          'payout-recipient',
        );
        await refuses(payOut(await forged({ params: params({ recipient: STRANGER }) })), 'payout-recipient');
        const own = await forged({ userId: ann.userId, walletId: ann.wallet.id });
        await refuses(payOut(own, ann.wallet), 'payout-books');
        const fromAnn = await forged({ walletId: ann.wallet.id });
        await refuses(payOut(fromAnn, ann.wallet), 'foreign-wallet');
      });

      it('pays no address whose key is not kept here, whatever the rows say', async () => {
        const id = ids.ulid();
        const secret = await db.wallets.secret(ann.wallet.id);
        if (secret === null) throw new Error('no secret');
        const planted = { ...ann.wallet, id, address: STRANGER, name: 'Planted', payoutFrom: 0 };
        await db.wallets.insert(PASSED, planted, { ...secret, walletId: id, publicKey: STRANGER });
        const items = [{ inviterId: ann.userId, recipient: STRANGER, lamports: 5_000n }];
        await refuses(payOut(await stored(await held(items))), 'payout-recipient');
      });

      const second = (parent: Intent, change: Partial<CreateTokenParams> = {}): IntentParams => ({
        ...(parent.params.kind === 'prepare-token' ? parent.params.creation : CREATION),
        prepared: { mint: addressOf(50), rentLamports: 1n, feeLamports: 1n },
        ...change,
      });
      const follows = (parent: Intent, change: Partial<Intent> = {}): Intent =>
        buildIntent({
          id: ids.ulid(),
          userId: parent.userId,
          walletId: parent.walletId,
          idemKey: `finish/${parent.id}`,
          params: second(parent),
          createdAt: clock.now(),
          ...change,
        });
      /** Past the signer's own rules it is the policy that refuses these bytes. */
      const noBytes = (intent: Intent) => vault.sign({ intentId: intent.id, message: new Uint8Array(10) });

      it('is the second half of a creation whose first half was confirmed and has come true', async () => {
        const params: IntentParams = { kind: 'prepare-token', creation: CREATION, tier: 'normal' };
        const parent = await stored(await confirmed(ann, params, { status: 'SUCCEEDED' }));
        await refuses(noBytes(await stored(follows(parent))), 'message');

        const open = await stored(await confirmed(ann, params));
        await refuses(noBytes(await stored(follows(open))), 'follow-up');
        const fresh = async (change: Partial<Intent>) => {
          const first = await stored(await confirmed(ann, params, { status: 'SUCCEEDED' }));
          return stored(follows(first, change));
        };
        await refuses(noBytes(await fresh({ params: second(parent, { feeLamports: 5n }) })), 'follow-up');
        await refuses(
          noBytes(await fresh({ params: second(parent, { uri: 'https://evil.example' }) })),
          'follow-up',
        );
        await refuses(noBytes(await fresh({ userId: bob.userId, walletId: bob.wallet.id })), 'follow-up');
        const other = await walletFor(ann.userId, 'Other');
        await refuses(noBytes(await fresh({ walletId: other.id })), 'follow-up');
        await refuses(noBytes(await fresh({ idemKey: 'finish/nobody' })), 'follow-up');
        await refuses(noBytes(await fresh({ idemKey: 'other' })), 'unconfirmed');
        await refuses(
          noBytes(await fresh({ params: CREATION, idemKey: `finish/${parent.id}/x` })),
          'unconfirmed',
        );
        const forged = await stored({
          ...(await confirmed(ann, params, { status: 'SUCCEEDED' })),
          params: { ...params, creation: { ...CREATION, feeLamports: 9n } },
        });
        await refuses(noBytes(await stored(follows(forged))), 'confirmation');
      });
    });

    it('signs a thousand requests that arrive together, each its own', async () => {
      const intents = await Promise.all(
        Array.from({ length: 1_000 }, async (_, n) => {
          const request = {
            id: ids.ulid(),
            idemKey: `k${n}`,
            userId: ann.userId,
            walletId: ann.wallet.id,
            params: { kind: 'revoke-authority' } as IntentParams,
          };
          return { ...request, confirmation: await vault.confirm(request, null) };
        }),
      );
      expect(new Set(intents.map(({ confirmation }) => confirmation)).size).toBe(1_000);
      const one = await stored(await confirmed(ann, paying()));
      const signatures = await Promise.all(intents.map(() => pay(one, ann.wallet)));
      expect(new Set(signatures.map((signature) => Buffer.from(signature).toString('hex'))).size).toBe(1);
    });

    it('lets a key out once for each time that it was asked for, in a file', async () => {
      const { userId } = ann;
      const passphrase = 'a passphrase of twelve';
      const input = { userId, walletId: ann.wallet.id };
      await expect(vault.askExport({ ...input, pin: '111222' })).rejects.toMatchObject({ code: 'PIN_WRONG' });
      await expect(vault.askExport({ userId, walletId: bob.wallet.id, pin: TEST_PIN })).rejects.toMatchObject(
        { code: 'WALLET_NOT_FOUND' },
      );
      const { exportId, readyAt, endsAt } = await vault.askExport({ ...input, pin: TEST_PIN });
      // This chain is a local one: nothing waits.
      expect([readyAt, endsAt]).toEqual([clock.now(), clock.now() + 86_400_000]);
      const over = { code: 'EXPORT_WAITS', details: { why: 'over' } };
      for (const bad of [
        { userId: bob.userId, exportId },
        { userId, exportId: 'x' },
      ]) {
        await expect(vault.takeExport({ ...bad, pin: TEST_PIN, passphrase })).rejects.toMatchObject(over);
      }
      const take = { userId, exportId, pin: TEST_PIN, passphrase };
      await expect(vault.takeExport({ ...take, passphrase: 'too short' })).rejects.toMatchObject({
        code: 'PASSPHRASE_UNSUITABLE',
      });
      const file = Buffer.from(await vault.takeExport(take)).toString();
      expect(file).toContain(ann.wallet.address);
      await expect(vault.takeExport(take)).rejects.toMatchObject(over);
      expect(await vault.stopExport({ userId })).toEqual({ stopped: false });
      await vault.askExport({ ...input, pin: TEST_PIN });
      expect(await vault.stopExport({ userId })).toEqual({ stopped: true });

      const back = await vault.adopt({ userId, walletId: ids.ulid(), material: file, passphrase });
      expect(back.publicKey).toBe(ann.wallet.address);
      await expect(
        vault.adopt({ userId, walletId: ids.ulid(), material: 'no key', passphrase: null }),
      ).rejects.toMatchObject({ code: 'KEY_UNREADABLE' });
    });

    it('compares drafts with drafts, and no stored PIN as one', async () => {
      const { userId } = ann;
      const draft = await vault.draft({ userId, text: '482915' });
      expect(await vault.isDrafted({ userId, draft, text: '482915' })).toBe(true);
      expect(await vault.isDrafted({ userId: bob.userId, draft, text: '482915' })).toBe(false);
      expect(await vault.pinOfDraft({ userId, draft, pin: '482916' })).toBeNull();
      const pinHash = await vault.pinOfDraft({ userId, draft, pin: '482915' });
      if (pinHash === null) throw new Error('the draft did not fit');
      await db.guards.save({ ...(await db.guards.find(userId)), pinHash }, PASSED);
      await vault.verifyPin({ userId, pin: '482915' });
      expect(await vault.isDrafted({ userId, draft: pinHash, text: '482915' })).toBe(false);
      expect(await vault.pinOfDraft({ userId, draft: pinHash, pin: '482915' })).toBeNull();
    });

    it('shows the secret of an authenticator until it is in force, and not after', async () => {
      const { userId } = ann;
      const box = await vault.createSecondFactor({ userId });
      const codes = ['AAAABBBBCCCCDDDD'];
      const shown = await vault.showSecondFactor({ userId, box, codes });
      expect(shown.uri).toMatch(/^otpauth:\/\/totp\//);
      expect(shown.digests).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
      expect(await vault.showSecondFactor({ userId, box: null, codes })).toEqual({ ...shown, uri: null });
      await expect(vault.showSecondFactor({ userId: bob.userId, box, codes })).rejects.toMatchObject({
        code: 'SECRET_UNREADABLE',
      });
      await expect(vault.confirmSecondFactor({ userId, code: '123456' })).rejects.toMatchObject({
        code: 'BUTTON_STALE',
      });
    });

    it('derives the seed of a round from its name', async () => {
      const seed = await vault.gameSeed({ id: 'a', table: 'coin-1' });
      expect(seed).toMatch(/^[0-9a-f]{64}$/);
      expect(await vault.gameSeed({ id: 'a', table: 'coin-1' })).toBe(seed);
      expect(await vault.gameSeed({ id: 'b', table: 'coin-1' })).not.toBe(seed);
    });
  });
}
