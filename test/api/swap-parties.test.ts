import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { type Address, addressBytes, TOKEN_PROGRAM, toBase58, unitsHeld, WSOL_MINT } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

const UNFUNDED = Keypair.generate();
const [RECEIVER, PAYER, POOR] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
const nameOf = (keypair: Keypair): Address => address(keypair.publicKey.toBase58());

type Data = {
  readonly txBase64: string;
  readonly signers: readonly string[];
  readonly fromTokenAmount: string;
  readonly minReceiveAmount: string;
  readonly toTokenAmount: string;
  readonly lastValidBlockHeight: string;
  readonly expiresAt: string;
  readonly fees: {
    readonly networkFeeLamports: string;
    readonly newAccountRentLamports: string;
    readonly returnedRentLamports: string;
  };
};

let rig: DeskRig;
let api: Api;
let pup: Address;
beforeAll(async () => {
  rig = await startDeskRig('swap-parties');
  api = buildApi(rig);
  pup = rig.token('PUP').mint;
  await rig.airdrop(nameOf(PAYER), 50_000_000n);
  await rig.airdrop(nameOf(POOR), 900_000n);
});
afterAll(async () => {
  await api.close();
  await rig.stop();
});

const order = (more: object = {}) => ({
  userWalletAddress: rig.wallet,
  fromTokenAddress: SOL,
  toTokenAddress: pup,
  amount: '100000000',
  ...more,
});
const accountOf = (owner: Address, mint: Address) =>
  rig.programs.associatedTokenAddress(owner, mint, TOKEN_PROGRAM);
const held = async (account: Address) => unitsHeld((await rig.chain.accounts([account])).accounts[0] ?? null);
const refused = (answer: { json: <T>() => T }) => answer.json<ErrorAnswer>().error;

async function built(more: object): Promise<Data> {
  const answer = await post(api.open, order(more));
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Data }>().data;
}

/** Signed by these and landed; its signature. */
async function land({ txBase64 }: Data, ...more: readonly Keypair[]) {
  const transaction = VersionedTransaction.deserialize(Buffer.from(txBase64, 'base64'));
  transaction.sign([rig.keypair, ...more]);
  expect(await rig.chain.send(transaction.serialize())).toEqual({ kind: 'accepted' });
  rig.confirmSlots();
  const landed = await rig.chain.landed(toBase58(transaction.signatures[0] ?? new Uint8Array()));
  expect(landed?.err).toBeNull();
  return landed;
}

/** A token account of PUP in this state: 1 is open, 2 is frozen by the issuer; null takes it away. */
function writePup(owner: Address, state: 1 | 2 | null): void {
  const data = new Uint8Array(165);
  data.set(addressBytes(pup), 0);
  data.set(addressBytes(owner), 32);
  data[108] = state ?? 0;
  const fields = { lamports: 2_039_280n, owner: TOKEN_PROGRAM, executable: false, data };
  rig.local.chain.writeAccount(accountOf(owner, pup), state === null ? null : fields);
  rig.confirmSlots();
}

it('a swap into an own account that the issuer froze is refused in words, and built once it is thawed', async () => {
  const own = { userWalletAddress: nameOf(PAYER), amount: '10000000' };
  writePup(nameOf(PAYER), 2);
  const answer = await post(api.open, order(own));
  expect(answer.statusCode).toBe(400);
  expect(refused(answer)).toMatchObject({
    code: 'TOKEN_NOT_TRANSFERABLE',
    message: expect.stringContaining('froze this wallet'),
  });
  writePup(nameOf(PAYER), 1);
  await built(own);
  writePup(nameOf(PAYER), null);
});

it('a destination that the issuer froze is refused, named as a wallet or as a token account', async () => {
  const owner = nameOf(Keypair.generate());
  const ways = [{ destinationWalletAddress: owner }, { destinationTokenAccount: accountOf(owner, pup) }];
  writePup(owner, 2);
  for (const way of ways) {
    const answer = await post(api.open, order(way));
    expect(answer.statusCode, answer.body).toBe(400);
    const [field] = Object.keys(way);
    expect(refused(answer).details).toEqual([
      { field, code: 'DESTINATION_INVALID', message: expect.stringContaining('frozen') },
    ]);
  }
  writePup(owner, 1);
  for (const way of ways) await built(way);
});

describe('a sale of all that an account holds', () => {
  const sale = async (more: object = {}) => {
    const units = await held(accountOf(rig.wallet, pup));
    return { fromTokenAddress: pup, toTokenAddress: SOL, amount: units.toString(), ...more };
  };
  const isThere = async () => (await rig.chain.accounts([accountOf(rig.wallet, pup)])).accounts[0] !== null;

  it('closes the account where that was asked for, and its rent comes back on top of what is bought', async () => {
    await land(await built({}));
    const rent = await rig.chain.rentExemption(165);
    const data = await built(await sale({ closeEmptiedAccount: true }));
    expect(data.fees.returnedRentLamports).toBe(rent.toString());
    const before = await rig.chain.balance(rig.wallet);
    await land(data);
    const gained = (await rig.chain.balance(rig.wallet)) - before;
    expect(gained).toBe(BigInt(data.toTokenAmount) + rent - BigInt(data.fees.networkFeeLamports));
    expect(await isThere()).toBe(false);
  });

  it('leaves it where that was not asked for, or where something stays in it', async () => {
    await land(await built({}));
    const part = await built({ ...(await sale({ closeEmptiedAccount: true })), amount: '1000000' });
    expect(part.fees.returnedRentLamports).toBe('0');
    await land(part);
    const whole = await built(await sale());
    expect(whole.fees.returnedRentLamports).toBe('0');
    await land(whole);
    expect([await isThere(), await held(accountOf(rig.wallet, pup))]).toEqual([true, 0n]);
    const odd = await post(api.open, order(await sale({ amount: '1', closeEmptiedAccount: 'yes' })));
    expect(refused(odd).details?.[0]).toMatchObject({ field: 'closeEmptiedAccount' });
  });
});

describe('an output for another owner', () => {
  it('arrives in the wallet’s account, which the trader pays, and nothing of it with the trader', async () => {
    const [there, here] = [accountOf(nameOf(RECEIVER), pup), accountOf(rig.wallet, pup)];
    const data = await built({ destinationWalletAddress: nameOf(RECEIVER) });
    expect(BigInt(data.fees.newAccountRentLamports)).toBeGreaterThan(0n);
    expect(data.signers).toEqual([rig.wallet]);
    await land(data);
    expect(await held(there)).toBe(BigInt(data.toTokenAmount));
    expect(await held(here)).toBe(0n);
    const again = await built({ destinationTokenAccount: there });
    expect(again.fees.newAccountRentLamports).toBe('0');
    await land(again);
    expect(await held(there)).toBe(BigInt(data.toTokenAmount) + BigInt(again.toTokenAmount));
  });

  it('takes the referrer’s part of the SOL sold', async () => {
    const referrer = { referrerWalletAddress: nameOf(PAYER), referrerFeeBps: 100 };
    const data = await built({ destinationWalletAddress: nameOf(RECEIVER), ...referrer });
    const landed = await land(data);
    const row = landed?.balances.find((one) => one.address === nameOf(PAYER));
    expect((row?.after ?? 0n) - (row?.before ?? 0n)).toBe(1_000_000n);
  });

  it('is SOL in a token account of wrapped SOL alone', async () => {
    await land(await built({}));
    const there = accountOf(nameOf(RECEIVER), WSOL_MINT);
    const sale = { fromTokenAddress: pup, toTokenAddress: SOL, amount: '1000000' };
    const data = await built({
      ...sale,
      destinationWalletAddress: nameOf(RECEIVER),
      wrapAndUnwrapSol: false,
    });
    await land(data);
    expect(await held(there)).toBe(BigInt(data.toTokenAmount));
    await land(await built({ ...sale, destinationTokenAccount: there }));
    expect(await held(there)).toBeGreaterThan(BigInt(data.toTokenAmount));
    const bare = await post(api.open, order({ ...sale, destinationWalletAddress: nameOf(RECEIVER) }));
    expect(refused(bare)).toMatchObject({ code: 'DESTINATION_NEEDS_TOKEN_ACCOUNT' });
  });

  it.each<[string, () => object, string, string]>([
    ['a mint', () => ({ destinationTokenAccount: pup }), 'destinationTokenAccount', 'DESTINATION_INVALID'],
    [
      'an account of another token',
      () => ({ destinationTokenAccount: accountOf(rig.wallet, pup), toTokenAddress: rig.token('KOI').mint }),
      'destinationTokenAccount',
      'DESTINATION_INVALID',
    ],
    [
      'an account that is not there',
      () => ({ destinationTokenAccount: accountOf(nameOf(UNFUNDED), pup) }),
      'destinationTokenAccount',
      'DESTINATION_INVALID',
    ],
    [
      'a mint as a wallet',
      () => ({ destinationWalletAddress: rig.token('KOI').mint }),
      'destinationWalletAddress',
      'DESTINATION_INVALID',
    ],
    [
      'an address that a program derives',
      () => ({ destinationWalletAddress: accountOf(rig.wallet, pup) }),
      'destinationWalletAddress',
      'DESTINATION_INVALID',
    ],
    [
      'both at once',
      () => ({
        destinationWalletAddress: nameOf(RECEIVER),
        destinationTokenAccount: accountOf(rig.wallet, pup),
      }),
      'destinationTokenAccount',
      'FIELDS_EXCLUSIVE',
    ],
    [
      'a referrer who is paid of the output',
      () => ({
        fromTokenAddress: rig.token('KOI').mint,
        destinationWalletAddress: nameOf(RECEIVER),
        referrerWalletAddress: nameOf(PAYER),
        referrerFeeBps: 10,
      }),
      'referrerWalletAddress',
      'FIELDS_EXCLUSIVE',
    ],
  ])('is refused for %s', async (_what, more, field, code) => {
    const answer = await post(api.open, order(more()));
    expect(answer.statusCode, answer.body).toBe(400);
    expect(refused(answer).details).toEqual([expect.objectContaining({ field, code })]);
  });
});

describe('a fee payer', () => {
  it('pays the network fee and nothing else, and signs first', async () => {
    const data = await built({ feePayerAddress: nameOf(PAYER) });
    expect(data.signers).toEqual([nameOf(PAYER), rig.wallet]);
    const landed = await land(data, PAYER);
    const change = (of: Address) => {
      const row = landed?.balances.find((one) => one.address === of);
      return (row?.after ?? 0n) - (row?.before ?? 0n);
    };
    expect(change(nameOf(PAYER))).toBe(-BigInt(data.fees.networkFeeLamports));
    const { fromTokenAmount, fees } = data;
    expect(change(rig.wallet)).toBe(-BigInt(fromTokenAmount) - BigInt(fees.newAccountRentLamports));
  });

  it.each<[string, () => object]>([
    ['the requester', () => ({ feePayerAddress: rig.wallet })],
    ['the receiver', () => ({ feePayerAddress: nameOf(PAYER), destinationWalletAddress: nameOf(PAYER) })],
    ['a mint', () => ({ feePayerAddress: rig.token('KOI').mint })],
    ['a wallet with nothing', () => ({ feePayerAddress: nameOf(UNFUNDED) })],
    ['a wallet with too little', () => ({ feePayerAddress: nameOf(POOR) })],
  ])('is not %s', async (_what, more) => {
    const answer = await post(api.open, order(more()));
    expect(answer.statusCode, answer.body).toBe(400);
    expect(refused(answer)).toMatchObject({ code: 'FEE_PAYER_INVALID', field: 'feePayerAddress' });
  });
});

describe('wrapped SOL as a token', () => {
  it('is bought into its own account and sold from there, and SOL stays where it is', async () => {
    const own = accountOf(rig.wallet, WSOL_MINT);
    const none = await post(api.open, order({ wrapAndUnwrapSol: false }));
    expect(refused(none)).toMatchObject({ code: 'INSUFFICIENT_TOKENS' });
    await land(await built({}));
    const sale = { fromTokenAddress: pup, toTokenAddress: SOL, amount: '1000000', wrapAndUnwrapSol: false };
    const bought = await built(sale);
    const landed = await land(bought);
    expect(await held(own)).toBe(BigInt(bought.toTokenAmount));
    const row = landed?.balances.find((one) => one.address === rig.wallet);
    const { networkFeeLamports, newAccountRentLamports } = bought.fees;
    expect((row?.before ?? 0n) - (row?.after ?? 0n)).toBe(
      BigInt(networkFeeLamports) + BigInt(newAccountRentLamports),
    );
    const before = await held(accountOf(rig.wallet, pup));
    const sold = await built({ amount: bought.toTokenAmount, wrapAndUnwrapSol: false });
    await land(sold);
    expect(await held(own)).toBe(0n);
    expect((await held(accountOf(rig.wallet, pup))) - before).toBe(BigInt(sold.toTokenAmount));
  });
});

describe('how long and how large it is', () => {
  it('is taken for the blocks that were asked for, or a few more', async () => {
    const heights = [];
    for (let blocks = 0; blocks < 12; blocks += 1) {
      rig.local.advanceSlots(10);
      // Longer than the newest blockhash is kept.
      await new Promise((resolve) => setTimeout(resolve, 450));
      heights.push((await rig.chain.latestBlockhash()).lastValidBlockHeight);
    }
    const now = (heights.at(-1) ?? 0n) - 150n;
    const short = await built({ expiresInBlocks: 40 });
    const left = BigInt(short.lastValidBlockHeight) - now;
    expect(left).toBeGreaterThanOrEqual(40n);
    expect(left).toBeLessThan(60n);
    const long = await built({});
    expect(BigInt(long.lastValidBlockHeight) - now).toBeGreaterThanOrEqual(150n);
    expect(Date.parse(short.expiresAt)).toBeLessThan(Date.parse(long.expiresAt));
    await land(short);
  });

  it('names no more accounts than were asked for', async () => {
    const counted = (data: Data) => {
      const { message } = VersionedTransaction.deserialize(Buffer.from(data.txBase64, 'base64'));
      return (
        message.staticAccountKeys.length +
        message.addressTableLookups.reduce(
          (sum, one) => sum + one.readonlyIndexes.length + one.writableIndexes.length,
          0,
        )
      );
    };
    const over = { fromTokenAddress: pup, toTokenAddress: rig.token('KOI').mint, amount: '1000000' };
    const free = counted(await built(over));
    expect(free).toBeLessThanOrEqual(64);
    const few = await post(api.open, order({ ...over, maxAccounts: 20 }));
    if (few.statusCode === 200) expect(counted(few.json<{ data: Data }>().data)).toBeLessThanOrEqual(20);
    else
      expect(refused(few)).toMatchObject({
        code: 'NO_ROUTE',
        message: expect.stringContaining('maxAccounts 20'),
      });
    expect(counted(await built({ maxAccounts: 20 }))).toBeLessThanOrEqual(20);
  });

  it.each([
    [{ expiresInBlocks: 9 }, 'expiresInBlocks'],
    [{ expiresInBlocks: 151 }, 'expiresInBlocks'],
    [{ expiresInBlocks: '20' }, 'expiresInBlocks'],
    [{ maxAccounts: 19 }, 'maxAccounts'],
    [{ maxAccounts: 65 }, 'maxAccounts'],
    [{ wrapAndUnwrapSol: 'no' }, 'wrapAndUnwrapSol'],
  ])('refuses %j', async (more, field) => {
    const answer = await post(api.open, order(more));
    expect(answer.statusCode).toBe(400);
    expect(refused(answer).details).toEqual([expect.objectContaining({ field, code: 'VALIDATION_FAILED' })]);
  });
});
