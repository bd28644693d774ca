import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { fromBase58, toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, SOL } from './build-api.ts';

let rig: DeskRig;
let api: Api;
beforeAll(async () => {
  rig = await startDeskRig('rest-token');
  api = buildApi(rig);
});
afterAll(async () => {
  await api.close();
  await rig.stop();
});

type Host = Api['open'];
const other = (): string => Keypair.generate().publicKey.toBase58();

async function ask(body: unknown, host: Host = api.open, headers: Record<string, string> = {}) {
  return host.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function refusal(body: Record<string, unknown>) {
  const answer = await ask({ payer: rig.wallet, symbol: 'PUP', ...body });
  expect(answer.statusCode, answer.body).toBe(400);
  return answer.json<ErrorAnswer>().error;
}

type Data = {
  readonly payer: string;
  readonly tx: string;
  readonly token: Readonly<Record<string, unknown>> & { readonly address: string };
  readonly powers: readonly { readonly code: string; readonly message: string }[];
  readonly warnings: readonly { readonly code: string }[];
  readonly fees: Readonly<Record<string, string>>;
};

async function built(
  body: Record<string, unknown>,
  host?: Host,
  headers?: Record<string, string>,
): Promise<Data> {
  const answer = await ask({ payer: rig.wallet, symbol: 'PUP', ...body }, host, headers);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Data }>().data;
}

/** What a caller does with `tx`: decode, sign, submit. */
async function submit(tx: string, signers: readonly Keypair[] = []): Promise<void> {
  const transaction = VersionedTransaction.deserialize(fromBase58(tx) ?? new Uint8Array());
  transaction.sign([rig.keypair, ...signers]);
  expect(await rig.chain.send(transaction.serialize())).toEqual({ kind: 'accepted' });
  rig.confirmSlots();
  const landed = await rig.chain.landed(toBase58(transaction.signatures[0] ?? new Uint8Array()));
  expect(landed?.err).toBeNull();
}

describe('POST /token', () => {
  it('answers with every field of the specification and a transaction that the payer alone completes', async () => {
    const authority = other();
    const data = await built({
      name: 'Puppy',
      program: 'token2022',
      decimals: 2,
      mintSupply: '500',
      mintToPubkey: rig.wallet,
      freezeAuthority: true,
      transferFeeConfigAuthority: authority,
      transferFeeWithdrawalAuthority: authority,
      transferFeeBps: 125,
      transferFeeMax: '9000',
      permanentDelegate: authority,
      defaultAccountState: { state: 'initialized' },
      interestBearingAuthority: authority,
      interestBearingPercent: 2.5,
      mintCloseAuthority: authority,
      metadata: { description: 'A good dog.', tags: 'dog, good' },
    });
    const { address, metadata, ...rest } = data.token;
    expect(rest).toEqual({
      name: 'Puppy',
      symbol: 'PUP',
      decimals: 2,
      mintAuthority: rig.wallet,
      freezeAuthority: rig.wallet,
      mintSupply: '500',
      mintTo: rig.wallet,
      program: 'token2022',
      transferFeeConfigAuthority: authority,
      transferFeeWithdrawalAuthority: authority,
      transferFeeBps: 125,
      transferFeeMax: '9000',
      permanentDelegate: authority,
      defaultAccountState: { state: 'initialized' },
      interestBearingAuthority: authority,
      interestBearingPercent: 250,
      mintCloseAuthority: authority,
    });
    expect(metadata).toMatch(/^https:\/\/desk\.example\/metadata\/[0-9a-f]{64}\.json$/);
    expect(data.payer).toBe(rig.wallet);
    expect(data.powers.map(({ code }) => code)).toEqual([
      'TAKE_OR_BURN',
      'FREEZE',
      'MINT_MORE',
      'CHANGE_TRANSFER_FEE',
      'COLLECT_TRANSFER_FEE',
      'CHANGE_INTEREST',
      'CLOSE_MINT',
      'CHANGE_METADATA',
    ]);
    const unsigned = VersionedTransaction.deserialize(fromBase58(data.tx) ?? new Uint8Array());
    const [payerSignature, mintSignature] = unsigned.signatures;
    expect(payerSignature?.every((byte) => byte === 0)).toBe(true);
    expect(mintSignature?.some((byte) => byte !== 0)).toBe(true);
    await submit(data.tx);
    const held = (await rig.chain.holdings(rig.wallet)).find(({ mint }) => mint === address);
    expect(held?.amount).toBe(50_000n);
    const served = await api.open.inject({ url: new URL(String(metadata)).pathname });
    expect(served.json()).toMatchObject({
      name: 'Puppy',
      symbol: 'PUP',
      description: 'A good dog.',
      tags: ['dog', 'good'],
    });
  });

  it('takes a link to its own document by http, and to nobody else’s', async () => {
    const local = buildApi(rig, undefined, 'http://127.0.0.1:4403');
    const name = `metadata/${'a'.repeat(64)}.json`;
    const asked = (metadataUri: string) =>
      local.open.inject({
        method: 'POST',
        url: '/token',
        payload: { payer: rig.wallet, symbol: 'PUP', program: 'token2022', metadataUri },
      });
    expect((await asked(`http://127.0.0.1:4403/${name}`)).statusCode).toBe(200);
    for (const other of [
      `http://127.0.0.1:4404/${name}`,
      `http://127.0.0.1:4403.example/${name}`,
      `http://127.0.0.1:4403/images/${'a'.repeat(64)}.json`,
      'http://127.0.0.1:4403/metadata/x',
    ]) {
      const answer = await asked(other);
      expect([other, answer.statusCode, answer.json<ErrorAnswer>().error.field]).toEqual([
        other,
        400,
        'metadataUri',
      ]);
    }
    await local.close();
  });

  it('leaves out what was not asked for, and says an authority is gone with empty text', async () => {
    const data = await built({
      program: 'token2022',
      mintAuthority: false,
      metadataUri: 'ipfs://bafy/x.json',
    });
    expect(data.token).toEqual({
      address: data.token.address,
      name: 'PUP',
      symbol: 'PUP',
      decimals: 6,
      metadata: 'ipfs://bafy/x.json',
      mintAuthority: '',
      freezeAuthority: '',
      mintSupply: '1000000000',
      mintTo: rig.wallet,
      program: 'token2022',
    });
    await submit(data.tx);
  });

  it('lets a mint of the caller sign beside the payer, on both hosts', async () => {
    const { text } = await api.issue({ scopes: ['token'] });
    for (const [host, headers] of [
      [api.open, {}],
      [api.pro, { 'x-api-key': text }],
    ] as const) {
      const mint = Keypair.generate();
      const data = await built({ newMint: mint.publicKey.toBase58() }, host, headers);
      expect(data.token.address).toBe(mint.publicKey.toBase58());
      const { signatures } = VersionedTransaction.deserialize(fromBase58(data.tx) ?? new Uint8Array());
      expect(signatures.every((signature) => signature.every((byte) => byte === 0))).toBe(true);
      await submit(data.tx, [mint]);
      expect(data.warnings.map(({ code }) => code)).toEqual(['NO_METADATA_PROGRAM']);
    }
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['a missing symbol', { symbol: undefined }, 'symbol', 'FIELD_REQUIRED'],
    ['a missing payer', { payer: undefined }, 'payer', 'FIELD_REQUIRED'],
    ['a payer that is a number', { payer: 5 }, 'payer', 'ADDRESS_INVALID'],
    ['a payer that is no key', { payer: 'x' }, 'payer', 'ADDRESS_INVALID'],
    ['decimals as text', { decimals: '6' }, 'decimals', 'VALIDATION_FAILED'],
    ['255 decimals', { decimals: 255 }, 'decimals', 'DECIMALS_OUT_OF_RANGE'],
    ['a supply of 0', { mintSupply: '0', mintToPubkey: 'self' }, 'mintSupply', 'SUPPLY_INVALID'],
    ['a supply as a number', { mintSupply: 5, mintToPubkey: 'self' }, 'mintSupply', 'VALIDATION_FAILED'],
    [
      'a supply above 64 bits',
      { mintSupply: '99999999999999', mintToPubkey: 'self' },
      'mintSupply',
      'SUPPLY_TOO_LARGE',
    ],
    ['a supply for nobody', { mintSupply: '5' }, 'mintToPubkey', 'MINT_TO_REQUIRED'],
    ['a symbol of 11 bytes', { symbol: 'ABCDEFGHIJK' }, 'symbol', 'TEXT_TOO_LONG'],
    ['a 33-byte name made of emoji', { name: `${'😀'.repeat(8)}a` }, 'name', 'TEXT_TOO_LONG'],
    ['control characters', { name: 'a\u0000b' }, 'name', 'TEXT_UNPRINTABLE'],
    ['an unknown program', { program: 'nft' }, 'program', 'PROGRAM_UNKNOWN'],
    [
      'a hostile metadata URI',
      { metadataUri: 'http://169.254.169.254/latest' },
      'metadataUri',
      'URI_INVALID',
    ],
    [
      'a hostile picture',
      { metadata: { imageUri: 'javascript:alert(1)' } },
      'metadata.imageUri',
      'LINK_INVALID',
    ],
    ['an extension on a plain token', { permanentDelegate: 'self' }, 'permanentDelegate', 'NEEDS_TOKEN2022'],
    ['an unknown field', { colour: 'red' }, 'colour', 'FIELD_UNKNOWN'],
    ['an unknown field of the metadata', { metadata: { icon: 'x' } }, 'metadata.icon', 'FIELD_UNKNOWN'],
    [
      'an unknown link',
      { metadata: { extensions: { myspace: 'https://x.example' } } },
      'metadata.extensions.myspace',
      'FIELD_UNKNOWN',
    ],
    [
      'a description that is a number',
      { metadata: { description: 5 } },
      'metadata.description',
      'VALIDATION_FAILED',
    ],
    [
      'a state that is text',
      { program: 'token2022', defaultAccountState: 'frozen' },
      'defaultAccountState',
      'VALIDATION_FAILED',
    ],
    [
      'frozen accounts that nobody could thaw',
      { program: 'token2022', defaultAccountState: { state: 'frozen' } },
      'defaultAccountState',
      'FROZEN_NEEDS_FREEZE_AUTHORITY',
    ],
  ])('refuses %s, and names the field', async (_title, body, field, code) => {
    const filled = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, value === 'self' ? rig.wallet : value]),
    );
    const error = await refusal(filled);
    const mine = error.details.find((detail) => detail.field === field);
    expect(mine?.code).toBe(code);
    expect(mine?.message.length).toBeGreaterThan(5);
    expect(error.retryable).toBe(false);
  });

  it('makes one mint of one Idempotency-Key, and refuses the key for another token', async () => {
    const headers = { 'idempotency-key': 'token-1' };
    const [first, second] = [await built({}, api.open, headers), await built({}, api.open, headers)];
    expect(second).toEqual(first);
    expect((await built({})).token.address).not.toBe(first.token.address);
    const other = await ask({ payer: rig.wallet, symbol: 'CAT' }, api.open, headers);
    expect(other.statusCode).toBe(409);
    expect(other.json<ErrorAnswer>().error.code).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('names every fault of a request at once', async () => {
    const error = await refusal({
      symbol: 'ABCDEFGHIJK',
      decimals: 'six',
      mintSupply: '1',
      program: 'token2022',
      transferFeeBps: 20_000,
      colour: 'red',
    });
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
      'colour FIELD_UNKNOWN',
      'decimals VALIDATION_FAILED',
      'mintToPubkey MINT_TO_REQUIRED',
      'symbol TEXT_TOO_LONG',
      'transferFeeBps TRANSFER_FEE_OUT_OF_RANGE',
      'transferFeeConfigAuthority TRANSFER_FEE_INCOMPLETE',
      'transferFeeMax TRANSFER_FEE_INCOMPLETE',
      'transferFeeWithdrawalAuthority TRANSFER_FEE_INCOMPLETE',
    ]);
  });

  it('refuses what the chain shows to be impossible: no money, a mint that exists, a recipient that is an account', async () => {
    const poor = await ask({ payer: other(), symbol: 'PUP' });
    expect(poor.json<ErrorAnswer>().error).toMatchObject({ code: 'INSUFFICIENT_LAMPORTS', field: 'payer' });
    const { mint } = rig.token('PUP');
    expect(await refusal({ newMint: mint })).toMatchObject({ code: 'MINT_EXISTS', field: 'newMint' });
    expect(await refusal({ mintSupply: '1', mintToPubkey: mint })).toMatchObject({
      code: 'RECIPIENT_IS_TOKEN_ACCOUNT',
      field: 'mintToPubkey',
    });
  });

  it('lists the fields of the object that an unknown one stands in, and blames a payer that is a mint once', async () => {
    const [unknown] = (await refusal({ metadata: { extensions: { myspace: 'x' } } })).details;
    expect(unknown?.message).toBe(
      'is not a field of metadata.extensions; expected discord, telegram, twitter, website',
    );
    const { details } = await refusal({ payer: rig.token('PUP').mint });
    expect(details.map(({ field, code }) => `${field} ${code}`)).toEqual(['payer ADDRESS_NOT_A_WALLET']);
  });

  it('refuses a body that is no object, or too large to be a token', async () => {
    expect((await ask('[]')).statusCode).toBe(400);
    expect((await ask('{')).statusCode).toBe(400);
    expect((await ask({ payer: rig.wallet, symbol: 'x'.repeat(20_000) })).statusCode).toBe(413);
  });

  it('stands in the OpenAPI document with its limits', async () => {
    type Body = { properties: Record<string, object>; required: string[] };
    const document = (await api.open.inject({ url: '/openapi.json' })).json<{
      paths: Record<string, { post: { requestBody: { content: Record<string, { schema: Body }> } } }>;
    }>();
    const TokenRequest = document.paths['/token']?.post.requestBody.content['application/json']?.schema;
    expect(TokenRequest?.required).toEqual(['payer', 'symbol']);
    expect(TokenRequest?.properties['transferFeeBps']).toMatchObject({ minimum: 0, maximum: 10_000 });
    expect(TokenRequest?.properties['program']).toMatchObject({ enum: ['token', 'token2022', null] });
  });
});

describe('the document of a token', () => {
  const metadata = { description: 'A good dog.' };

  it.each([
    ['an empty wallet', () => ({ payer: other() }), 'INSUFFICIENT_LAMPORTS'],
    ['a wallet that is a mint', () => ({ payer: SOL }), 'ADDRESS_NOT_A_WALLET'],
    ['a field that is wrong', () => ({ decimals: 99 }), 'DECIMALS_OUT_OF_RANGE'],
    [
      'a link that is too long',
      () => ({ metadata: { imageUri: `https://x.example/${'x'.repeat(3_000)}` } }),
      null,
    ],
  ])('is not stored for %s', async (_title, body, code) => {
    const before = api.metadata.count();
    const error = await refusal({ metadata, ...body() });
    if (code !== null) expect(error.code).toBe(code);
    expect(error.message).not.toBe('');
    expect(api.metadata.count()).toBe(before);
  });

  it('is stored for who can pay, waits for the mint, and is deleted when that does not come', async () => {
    const data = await built({ metadata: { description: 'never made' } });
    const { pathname } = new URL(String(data.token['metadata']));
    expect((await api.open.inject({ url: pathname })).statusCode).toBe(200);
    const due = { lookedBefore: Number.POSITIVE_INFINITY, endBefore: 0, limit: 1_000 };
    const waits = await api.metadata.awaitedMints(due);
    expect(waits).toContainEqual(expect.objectContaining({ mint: data.token.address }));
  });

  it('is stored a bounded number of times for one address, and for the keys of one account together', async () => {
    const strict = buildApi(rig);
    const make = (n: number, host: Host, headers = {}) =>
      host.inject({
        method: 'POST',
        url: '/token',
        remoteAddress: '203.0.113.7',
        headers: { 'content-type': 'application/json', ...headers },
        payload: JSON.stringify({ payer: rig.wallet, symbol: 'PUP', metadata: { description: `d${n}` } }),
      });
    const fill = async (host: Host, headers = {}) => {
      for (let n = 0; n < 100; n += 1) {
        const answer = await make(n, host, headers);
        if (answer.statusCode !== 200) return { stored: n, error: answer.json<ErrorAnswer>().error };
      }
      return { stored: 100, error: null };
    };
    const open = await fill(strict.open);
    expect(open).toMatchObject({ stored: 10, error: { code: 'RATE_LIMITED', retryable: true } });
    expect(open.error?.message).toBe('too many files were stored for this address; ask again in 300 s');
    expect(strict.metadata.count()).toBe(10);
    // A link of one's own stores nothing.
    const own = { payer: rig.wallet, symbol: 'PUP', metadataUri: 'ipfs://bafy/x.json' };
    expect((await ask(own, strict.open)).statusCode).toBe(200);
    const grant = { scopes: ['token'] as const, account: 'filler', ratePerSecond: 100, burst: 200 };
    const [one, two] = [await strict.issue(grant), await strict.issue(grant)];
    expect(await fill(strict.pro, { 'x-api-key': one.text })).toMatchObject({ stored: 60 });
    expect(await fill(strict.pro, { 'x-api-key': two.text })).toMatchObject({ stored: 0 });
    strict.advance(300_000);
    expect((await make(200, strict.open)).statusCode).toBe(200);
    await strict.close();
  });
});
