import { VersionedTransaction } from '@solana/web3.js';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { address } from '../../src/core/address/address.ts';
import type { Passport } from '../../src/modules/passport/rules/passport.ts';
import { loadPassport } from '../../src/modules/passport/use/load-passport.ts';
import { createTokenRecords } from '../../src/platform/chain/token-records.ts';
import { createHost } from '../../src/platform/http/create-host.ts';
import type { SiteDeps } from '../../src/platform/http/site/page.ts';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { fakeMetadataStore } from '../support/fakes/metadata-store.ts';
import { type Api, buildApi, SOL } from './build-api.ts';

/** What the specification of Actions wants of a card, field by field. */
const card = z.strictObject({
  type: z.literal('action'),
  icon: z.url(),
  title: z.string().min(1),
  description: z.string().min(1),
  label: z.string().min(1),
  disabled: z.boolean(),
  links: z.strictObject({
    actions: z
      .array(
        z.strictObject({
          type: z.literal('transaction'),
          label: z.string().min(1),
          href: z.string().min(1),
          parameters: z
            .array(
              z.strictObject({
                name: z.string(),
                label: z.string(),
                required: z.boolean(),
                pattern: z.string(),
                patternDescription: z.string(),
              }),
            )
            .optional(),
        }),
      )
      .min(1),
  }),
});
const transaction = z.strictObject({
  type: z.literal('transaction'),
  transaction: z.base64(),
  message: z.string().min(1),
});
const refusal = z.strictObject({ message: z.string().min(1) });

let rig: DeskRig;
let api: Api;
let app: FastifyInstance;
let passport: SiteDeps['passport'];
let level: Passport['level'] | null = null;
beforeAll(async () => {
  rig = await startDeskRig('actions');
  api = buildApi(rig);
  const metadata = fakeMetadataStore();
  const deps = {
    records: createTokenRecords(rig.chain),
    chain: rig.chain,
    wellKnown: [],
    origin: async () => null,
    launch: async () => null,
    revocations: async () => ({}),
    metadata,
  };
  passport = async (mint) => {
    const found = await loadPassport(deps, mint);
    return found === null || level === null ? found : { ...found, level };
  };
  const site: SiteDeps = { ...api.deps.site, passport };
  app = createHost({ ...api.deps, site }, { kind: 'open', ratePerSecond: 1_000, burst: 1_000 });
});
afterAll(async () => {
  await app.close();
  await api.close();
  await rig.stop();
});

let asked = 0;
/** Each from an address of its own, so that the limit of one address plays no part. */
const stranger = (): string => {
  asked += 1;
  return `203.0.${Math.floor(asked / 250)}.${asked % 250}`;
};
const ask = (url: string) => app.inject({ url, remoteAddress: stranger() });
const act = (url: string, body: object = { account: rig.wallet }) =>
  app.inject({ method: 'POST', url, payload: body, remoteAddress: stranger() });
const pup = () => rig.token('PUP').mint;

describe('the card of an action', () => {
  it('has the fields of the specification, and links that lead to transactions', async () => {
    const answer = await ask(`/actions/buy/${pup()}`);
    expect(answer.statusCode, answer.body).toBe(200);
    const { title, icon, links, disabled } = card.parse(answer.json());
    expect({ title, icon, disabled }).toEqual({
      title: 'Buy PUP',
      icon: `https://desk.example/token/${pup()}.png`,
      disabled: false,
    });
    const [first] = links.actions;
    expect((await act(first?.href ?? '')).statusCode).toBe(200);
    const typed = links.actions.at(-1);
    expect((await act((typed?.href ?? '').replace('{sol}', '0.25'))).statusCode).toBe(200);
    expect(card.parse((await ask(`/actions/sell/${pup()}`)).json()).title).toBe('Sell PUP');
  });

  it('is found from the page of a token', async () => {
    const { rules } = (await ask('/actions.json')).json<{
      rules: { pathPattern: string; apiPath: string }[];
    }>();
    const rule = rules.find(({ pathPattern }) => pathPattern === '/token/*');
    const path = rule?.apiPath.replace('*', pup()) ?? '';
    card.parse((await ask(path)).json());
  });

  it('lets a client read the rules, a card and its transaction at once, where the host grants one request a second', async () => {
    const strict = createHost(
      { ...api.deps, site: { ...api.deps.site, passport } },
      { kind: 'open', ratePerSecond: 1, burst: 1 },
    );
    const statuses: number[] = [];
    for (const url of ['/actions.json', `/actions/buy/${pup()}`, `/actions/sell/${pup()}`])
      statuses.push((await strict.inject({ url })).statusCode);
    for (let more = 0; more < 18; more += 1)
      statuses.push((await strict.inject({ url: '/actions.json' })).statusCode);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    await strict.close();
  });

  it('says the chain and the version, on refusals too, to pages of every origin', async () => {
    const genesis = await rig.chain.genesisHash();
    for (const url of [`/actions/buy/${pup()}`, '/actions/buy/nothing', '/actions.json']) {
      const { headers } = await ask(url);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'x-action-version': '2.4',
        'x-blockchain-ids': `solana:${genesis.slice(0, 32)}`,
      });
      expect(headers['access-control-expose-headers']).toContain('x-blockchain-ids');
    }
    const preflight = await app.inject({ method: 'OPTIONS', url: `/actions/buy/${pup()}` });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, POST');
    for (const name of ['content-type', 'authorization', 'content-encoding', 'accept-encoding'])
      expect(preflight.headers['access-control-allow-headers']).toContain(name);
    // No other path may be sent credentials.
    const other = await app.inject({ method: 'OPTIONS', url: '/dex/swap' });
    expect(other.headers['access-control-allow-headers']).not.toContain('authorization');
  });
});

describe('the transaction of an action', () => {
  /** As a wallet does: its signature into the empty place, the rest as it came. */
  async function land(body: string): Promise<void> {
    const { transaction: text, message } = transaction.parse(JSON.parse(body));
    expect(message).toMatch(/Price impact \d+\.\d\d %\.$/);
    const built = VersionedTransaction.deserialize(Buffer.from(text, 'base64'));
    expect(built.message.staticAccountKeys[0]?.toBase58()).toBe(rig.wallet);
    expect(Buffer.from(built.signatures[0] ?? []).every((byte) => byte === 0)).toBe(true);
    built.sign([rig.keypair]);
    expect(await rig.chain.send(built.serialize())).toEqual({ kind: 'accepted' });
    rig.confirmSlots();
  }
  const held = async (): Promise<bigint> => {
    const mint = address(pup());
    const token = await rig.chain.token(mint);
    if (token === null) throw new Error('the local world has no such mint');
    const at = rig.programs.associatedTokenAddress(rig.wallet, mint, token.tokenProgram);
    const [state] = (await rig.chain.accounts([at])).accounts;
    return state === null || state === undefined
      ? 0n
      : new DataView(Uint8Array.from(state.data).buffer).getBigUint64(64, true);
  };

  it('buys, and then sells a typed amount, once the wallet signed it', async () => {
    expect(await held()).toBe(0n);
    await land((await act(`/actions/buy/${pup()}?sol=0.1`)).body);
    const bought = await held();
    expect(bought).toBeGreaterThan(0n);
    const sale = await act(`/actions/sell/${pup()}?tokens=1`);
    expect(sale.statusCode, sale.body).toBe(200);
    await land(sale.body);
    expect(bought - (await held())).toBe(1_000_000n);
  });

  it('refuses to buy a blocked token, whose card is disabled, and still sells it', async () => {
    level = 'BLOCK';
    try {
      expect(card.parse((await ask(`/actions/buy/${pup()}`)).json()).disabled).toBe(true);
      const refused = await act(`/actions/buy/${pup()}?sol=0.1`);
      expect(refused.statusCode).toBe(400);
      expect(refusal.parse(refused.json()).message).toContain('blocked');
      expect(card.parse((await ask(`/actions/sell/${pup()}`)).json()).disabled).toBe(false);
    } finally {
      level = null;
    }
  });

  it.each([
    ['?sol=0', undefined, 400, 'sol: expected a number of SOL above 0'],
    ['?sol=-1', undefined, 400, 'sol: expected'],
    ['?sol=1e3', undefined, 400, 'sol: expected'],
    ['?sol=0.0000000001', undefined, 400, 'at most 9 digits'],
    ['?sol=1&sol=2', undefined, 400, 'sol: expected'],
    ['?sol=999999999999', undefined, 400, ''],
    ['?sol=0.1', {}, 400, 'account: expected the address of a wallet'],
    ['?sol=0.1', { account: 'me' }, 400, 'account: expected'],
    // Derived by a program: no key can sign for it.
    ['?sol=0.1', { account: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knM' }, 400, 'account: expected'],
  ])('refuses %s of %j', async (query, body, status, sentence) => {
    const answer = await act(`/actions/buy/${pup()}${query}`, body);
    expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(sentence)]);
    refusal.parse(answer.json());
  });

  it.each([
    ['/actions/steal/x'],
    ['/actions/buy/nothing'],
    [`/actions/buy/${SOL}`],
    // A wallet is no mint.
    ['/actions/buy/9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'],
  ])('knows nothing at %s', async (url) => {
    const answer = await ask(url);
    expect(answer.statusCode).toBe(404);
    refusal.parse(answer.json());
  });

  it('gives a wallet ten at once and then one each six seconds, whatever address asks', async () => {
    const poor = { account: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' };
    const again = async (count: number) => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index += 1)
        statuses.push((await act(`/actions/buy/${pup()}?sol=0.1`, poor)).statusCode);
      return statuses;
    };
    expect(await again(10)).not.toContain(429);
    const refused = await act(`/actions/buy/${pup()}?sol=0.1`, poor);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('6');
    refusal.parse(refused.json());
    api.advance(6_000);
    expect(await again(2)).toEqual([expect.not.toSatisfy((status) => status === 429), 429]);
  });
});
