import {
  AccountState,
  AuthorityType,
  createEnableRequiredMemoTransfersInstruction,
  createFreezeAccountInstruction,
  createInitializeDefaultAccountStateInstruction,
  createReallocateInstruction,
  createSetAuthorityInstruction,
  createThawAccountInstruction,
  ExtensionType,
} from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { type Address, NO_TOKEN_POWERS, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { recipientRefusal } from '../../../src/modules/tokens/rules/recipient-account.ts';
import { prepareWithdrawal } from '../../../src/modules/withdrawals/use/prepare-withdrawal.ts';
import { type MoneyRig, startMoneyRig, until } from '../../engine/transactions/money-rig.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { createTokenMaker, type MadeToken, type TokenMaker } from '../../support/token-maker.ts';
import { createTraders, type Owned, type Traders } from '../positions/traders.ts';

const SOL = 1_000_000_000n;
const SEED = 'recipient-account';
const program = new PublicKey(TOKEN_2022_PROGRAM);
const key = (of: string) => new PublicKey(of);

const db = fakeDatabase();
let rig: MoneyRig;
let traders: Traders;
let maker: TokenMaker;
let sender: Owned;

beforeAll(async () => {
  rig = await startMoneyRig(db, SEED);
  traders = createTraders(rig, db);
  maker = createTokenMaker(rig.local.rpcUrl, SEED);
  sender = await traders.owned('Sender', 3n * SOL);
});
afterAll(() => rig?.stop());

const prepare = (token: MadeToken, destination: string) =>
  prepareWithdrawal(
    { db, chain: rig.chain, programs: rig.programs },
    {
      userId: sender.userId,
      walletId: sender.id,
      destination,
      asset: { kind: 'token', mint: token.mint },
      amount: { kind: 'exact', units: 5n },
      tier: 'economy',
    },
  );

async function held(token: MadeToken): Promise<void> {
  await maker.give(sender.address, token, 1_000n);
  await until(async () => (await traders.heldOf(sender, token.mint)) === 1_000n);
}

/** A friend whose account of the token the friend or its issuer has changed since it was made. */
async function friendOf(
  token: MadeToken,
): Promise<{ readonly friend: Keypair; readonly to: Address; readonly account: Address }> {
  const friend = Keypair.generate();
  const to = address(friend.publicKey.toBase58());
  await maker.give(to, token, 1n);
  return { friend, to, account: maker.associated(to, token) };
}

/** Refused before the PIN with this reason, where the chain would have refused the transfer itself. */
async function expectRefused(token: MadeToken, to: Address, reason: string): Promise<void> {
  await expect(prepare(token, to)).rejects.toMatchObject({
    code: 'RECIPIENT_ACCOUNT_REFUSES',
    details: { reason, account: maker.associated(to, token) },
  });
  await expect(maker.give(to, token, 1n)).rejects.toThrow();
}

describe('a recipient whose token account takes no transfer of ours is refused before the PIN', () => {
  it('when the account was given to somebody else', async () => {
    const { mint, program: classic, decimals } = rig.token('PUP');
    const token = { mint: mint as Address, program: classic as Address, decimals };
    await held(token);
    const { friend, to, account } = await friendOf(token);
    expect((await prepare(token, to)).asset).toBe('token');
    const other = Keypair.generate().publicKey;
    await maker.run(
      [createSetAuthorityInstruction(key(account), friend.publicKey, AuthorityType.AccountOwner, other)],
      [friend],
    );
    await expect(prepare(token, to)).rejects.toMatchObject({
      code: 'RECIPIENT_ACCOUNT_REFUSES',
      details: { reason: 'other-owner' },
    });
  });

  it('when its issuer froze the account', async () => {
    const token = await maker.makeMint([]);
    await held(token);
    const { to, account } = await friendOf(token);
    await maker.run([
      createFreezeAccountInstruction(key(account), key(token.mint), maker.maker, [], program),
    ]);
    await expectRefused(token, to, 'frozen');
  });

  it('when the account would be frozen as soon as it is made', async () => {
    const token = await maker.makeMint(
      [
        {
          type: ExtensionType.DefaultAccountState,
          setUp: (mint) => createInitializeDefaultAccountStateInstruction(mint, AccountState.Frozen, program),
        },
      ],
      { thaws: true },
    );
    const own = await maker.openOther(sender.address, token);
    await maker.run([createThawAccountInstruction(key(own), key(token.mint), maker.maker, [], program)]);
    await maker.give(sender.address, token, 1_000n, own);
    await until(async () => (await traders.heldOf(sender, token.mint)) === 1_000n);
    await expectRefused(token, address(Keypair.generate().publicKey.toBase58()), 'frozen-when-made');
  });

  it('when the account wants a memo right before each transfer', async () => {
    const token = await maker.makeMint([]);
    await held(token);
    const { friend, to, account } = await friendOf(token);
    await maker.run(
      [
        createReallocateInstruction(
          key(account),
          maker.maker,
          [ExtensionType.MemoTransfer],
          friend.publicKey,
          [],
          program,
        ),
        createEnableRequiredMemoTransfersInstruction(key(account), friend.publicKey, [], program),
      ],
      [friend],
    );
    await expectRefused(token, to, 'needs-memo');
  });

  it('and nothing is refused where the account is as it was made, or is not there yet', async () => {
    const token = await maker.makeMint([]);
    await held(token);
    const { to } = await friendOf(token);
    expect((await prepare(token, to)).asset).toBe('token');
    expect((await prepare(token, Keypair.generate().publicKey.toBase58())).asset).toBe('token');
  });
});

describe('what a recipient’s account says of itself', () => {
  const owner = address(Keypair.generate().publicKey.toBase58());
  const mint = address(Keypair.generate().publicKey.toBase58());
  const of = (extensions: readonly (readonly [number, Uint8Array])[]) => {
    const data = new Uint8Array(166 + extensions.reduce((sum, [, body]) => sum + 4 + body.length, 0));
    data.set(key(mint).toBytes(), 0);
    data.set(key(owner).toBytes(), 32);
    data[108] = 1;
    data[165] = 2;
    let at = 166;
    for (const [type, body] of extensions) {
      data.set([type, 0, body.length & 255, body.length >> 8], at);
      data.set(body, at + 4);
      at += 4 + body.length;
    }
    return { lamports: 1n, owner: TOKEN_2022_PROGRAM, data, executable: false };
  };
  const token = { mint, extensions: NO_TOKEN_POWERS };
  const confidential = (open: number) => {
    const body = new Uint8Array(295);
    body[262] = open;
    return body;
  };

  it('is no memo where none is wanted, and no open transfer where only confidential ones are taken', () => {
    expect(recipientRefusal(of([[8, new Uint8Array([0])]]), { owner, token })).toBeNull();
    expect(
      recipientRefusal(
        of([
          [7, new Uint8Array()],
          [8, new Uint8Array([1])],
        ]),
        { owner, token },
      ),
    ).toBe('needs-memo');
    expect(recipientRefusal(of([[5, confidential(1)]]), { owner, token })).toBeNull();
    expect(recipientRefusal(of([[5, confidential(0)]]), { owner, token })).toBe('private-only');
  });

  it('is another owner where it is of another program, and nothing where it only holds lamports', () => {
    const plain = { lamports: 5n, owner: TOKEN_2022_PROGRAM, data: new Uint8Array(), executable: false };
    expect(recipientRefusal(plain, { owner, token })).toBeNull();
    expect(recipientRefusal({ ...plain, data: new Uint8Array(7) }, { owner, token })).toBe('other-owner');
    expect(recipientRefusal(of([]), { owner: mint, token })).toBe('other-owner');
  });
});
