import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { type AppError, hasCode } from '../../../src/core/errors/app-error.ts';
import { ownAct } from '../../../src/engine/audit/rules.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import { decodeLooks, encodeLooks } from '../../../src/engine/intents/rules/death.ts';
import { encodeIntentNotice } from '../../../src/engine/intents/rules/notice-payload.ts';
import { intermediatesOfTerms } from '../../../src/engine/intents/rules/terms.ts';
import { decodeLandingLooks, encodeLandingLooks } from '../../../src/engine/intents/rules/verdict.ts';
import { createQuarantineStore } from '../../../src/engine/transactions/store/quarantine-store.ts';
import type { Copy } from '../../../src/modules/copying/rules/copy.ts';
import { skip } from '../../../src/modules/copying/rules/judge-copy.ts';
import type { PaperCopy } from '../../../src/modules/copying/rules/paper-copy.ts';
import type { KeyGrant } from '../../../src/modules/keys/rules/key-request.ts';
import { createTrendingStore } from '../../../src/modules/market/store/trending-store.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import { createSubmissionStore } from '../../../src/modules/submissions/store.ts';
import { ACT_DETAILS } from '../../../src/platform/db/json/act-json.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { copyRow, copyTradeRow, paperCopyRow, paperTradeRow } from '../../conformance/copy-store.ts';
import { leaderTradeRow } from '../../conformance/follow-store.ts';
import { mailRow, requestRow } from '../../conformance/key-stores.ts';
import { orderRow } from '../../conformance/order-stores.ts';
import { personalKeyRow } from '../../conformance/personal-key-store.ts';
import {
  attemptRow,
  buttonRow,
  intentRow,
  NOW,
  newAddress,
  newId,
  noticeRow,
  outboxRow,
  storedIntent,
  storedPerson,
} from '../../conformance/store-rows.ts';
import { submissionRow } from '../../conformance/submission-store.ts';
import { landingLook, PARAMS } from '../../engine/intents/build.ts';
import { PARAMS_OF, someOutcome, someSpec, someTerms } from '../../support/arbitrary-intents.ts';
import { administer, createTestDatabase } from '../../support/database.ts';
import { PASSED } from '../../support/passed.ts';
import { prismaSchema } from '../../support/prisma-schema.ts';

let db: PrismaDatabase;
beforeAll(async () => {
  const url = await createTestDatabase();
  // Acts are never changed, not even by a test, unless the owner of the table takes that away.
  await administer(
    url,
    'GRANT ALL ON audit_log TO CURRENT_USER; ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only',
  );
  db = await createPrismaDatabase({ url });
});
afterAll(() => db.close());

type Json = Readonly<Record<string, unknown>>;
const one = <T>(arbitrary: fc.Arbitrary<T>): T => fc.sample(arbitrary, { seed: 7, numRuns: 1 })[0] as T;

const OUTCOME = one(someOutcome.filter(({ receipt }) => receipt !== null && receipt.tokenDeltas.length > 0));
const LOOKS = encodeLooks([
  {
    endpoint: 'https://a.example',
    endpoints: 2,
    at: 5,
    finalizedHeight: 5n,
    finalizedSlot: 6n,
    statusSlot: 7n,
    firstAvailableBlock: 0n,
  },
]);
const LANDINGS = encodeLandingLooks([
  landingLook({ err: '{"InstructionError":[0,"Custom"]}', priceMoved: true }),
  landingLook({ endpoint: 'b', effect: 'unserved', sums: null }),
]);
const NOTICE = encodeIntentNotice({
  status: 'ACTIVE',
  signature: 'sig',
  attempt: 1,
  lastValidBlockHeight: 9n,
  sentAt: 3,
  terms: PARAMS.buy.terms,
  outcome: OUTCOME,
});

type Case = {
  /** Column of the row's name. */
  readonly id: string;
  /** A row with everything that the column can hold, written by its store; its name. */
  readonly write: () => Promise<string>;
  /** The value of a row as its store reads it; null: nothing reads it. */
  readonly read: ((id: string) => Promise<unknown>) | null;
  /** The store's value, as it must come back. */
  readonly value: unknown;
  /** The column's values have no version of this layer. */
  readonly unversioned?: true;
};

const submissions = () => createSubmissionStore(db);
async function storedSubmission(): Promise<string> {
  const row = submissionRow({ deaths: decodeLooks(LOOKS), landings: decodeLandingLooks(LANDINGS) });
  await submissions().insert(row);
  return row.signature;
}
async function storedAttempt(): Promise<string> {
  const intent = await storedIntent(db, { status: 'ACTIVE' });
  const attempt = attemptRow(intent, { deathProof: LOOKS, landingProof: LANDINGS, terms: PARAMS.buy.terms });
  await db.intents.insertAttempt(attempt);
  return intent.id;
}
const attemptOf = async (intentId: string) => (await db.intents.attempts(intentId))[0];
const REVOCATIONS = { freeze: { signature: 'f', at: 1 }, mint: { signature: 'm', at: 2 } };
const SPEC = one(someSpec.filter(({ extensions }) => extensions.transferFee !== null));
const CONFIRMED = {
  intentId: 'i',
  destination: newAddress(),
  mint: newAddress(),
  amount: '7',
  notBefore: NOW,
};
const GRANT: KeyGrant = {
  ratePerSecond: 5,
  burst: 10,
  dayQuota: 1_000,
  maxReferrerFeeBps: 300,
  scopes: ['swap', 'market'],
  days: 30,
};
const EFFECT = { kind: 'fee-discount', bps: bps(1_000), days: 7 } as const;

const ORDER = orderRow({ id: 'g', userId: 'u', walletId: 'w', mint: newAddress() });

const TRENDS = [{ mint: newAddress(), score: 1.5, traders: 2, volumeUsd: 3.25, netUsd: 4 }];
const trending = () => createTrendingStore({ query: db.query }, '');

const COPY = copyRow({ userId: 'u', walletId: 'w' });
const PERSONAL_KEY = personalKeyRow({ userId: 'u', walletId: 'w' });
const SKIP = skip('liquidity', 3_100n, 10_000n, null);
async function storedCopy(): Promise<Copy> {
  const { user, wallet } = await storedPerson(db);
  const copy = copyRow({ userId: user.id, walletId: wallet.id });
  await db.copies.insert(PASSED, copy);
  return copy;
}

async function storedOrder(): Promise<string> {
  const { user, wallet } = await storedPerson(db);
  const named = { id: newId(), userId: user.id, walletId: wallet.id, mint: ORDER.mint };
  const order = orderRow(named);
  await db.orders.insert(PASSED, {
    ...named,
    placeKey: named.id,
    parentIntentId: null,
    createdAt: NOW,
    kind: 'SINGLE',
    units: 1n,
    sold: 0n,
    orders: [order],
    liveFires: [],
  });
  return order.id;
}

async function storedToken(): Promise<string> {
  const { user, wallet } = await storedPerson(db);
  const intent = await storedIntent(db, { userId: user.id, walletId: wallet.id });
  const mint = newAddress();
  await db.createdTokens.insert({
    mint,
    userId: user.id,
    walletId: wallet.id,
    creator: wallet.address,
    intentId: intent.id,
    signature: mint,
    spec: SPEC,
    way: 'native',
    uri: 'https://desk.example/x.json',
    metadataHash: null,
    createdAt: NOW,
    revocations: REVOCATIONS,
  });
  return mint;
}

/** Every jsonb column: how its store writes and reads it. A new column without a line here fails the first test below. */
const COLUMNS: Readonly<Record<string, Case>> = {
  'users.settings': {
    id: 'id',
    write: async () => (await storedPerson(db)).user.id,
    read: async (id) => (await db.users.find(id))?.settings,
    value: DEFAULT_SETTINGS,
  },
  'intents.params': {
    id: 'id',
    write: async () => (await storedIntent(db, { params: PARAMS.buy })).id,
    read: async (id) => (await db.intents.find(id))?.params,
    value: PARAMS.buy,
  },
  'intents.outcome': {
    id: 'id',
    write: async () => (await storedIntent(db, { status: 'SUCCEEDED', outcome: OUTCOME })).id,
    read: async (id) => (await db.intents.find(id))?.outcome,
    value: OUTCOME,
  },
  'attempts.death_proof': {
    id: 'intent_id',
    write: storedAttempt,
    read: async (id) => (await attemptOf(id))?.deathProof,
    value: LOOKS,
  },
  'attempts.landing_proof': {
    id: 'intent_id',
    write: storedAttempt,
    read: async (id) => (await attemptOf(id))?.landingProof,
    value: LANDINGS,
  },
  'submissions.death_proof': {
    id: 'signature',
    write: storedSubmission,
    read: async (id) => encodeLooks((await submissions().find(id))?.deaths ?? []),
    value: LOOKS,
  },
  'submissions.landing_proof': {
    id: 'signature',
    write: storedSubmission,
    read: async (id) => encodeLandingLooks((await submissions().find(id))?.landings ?? []),
    value: LANDINGS,
  },
  'attempts.terms': {
    id: 'intent_id',
    write: storedAttempt,
    read: async (id) => (await attemptOf(id))?.terms,
    value: PARAMS.buy.terms,
  },
  'outbox.data': {
    id: 'id',
    write: async () => {
      const row = outboxRow();
      await db.outbox.add([row]);
      return row.id;
    },
    // A row that cannot be read is told and passed over, so that it holds up nobody.
    read: async (id) => {
      const told: AppError<'ROW_INVALID'>[] = [];
      const rows = await db.transact(async (stores) => {
        const claimed = await stores.outbox.claim(1_000, (error) => told.push(error));
        await stores.outbox.markDispatched(
          claimed.map((row) => row.id),
          NOW,
        );
        return claimed;
      });
      expect(await db.transact((stores) => stores.outbox.claim(1_000))).toEqual([]);
      const mine = told.find(({ details }) => details.row === id);
      if (mine !== undefined) throw mine;
      return rows.find((row) => row.id === id)?.data;
    },
    value: { intentId: 'i' },
  },
  'buttons.payload': {
    id: 'id',
    write: async () => {
      const { user } = await storedPerson(db);
      const button = buttonRow(user.id);
      await db.buttons.insert([button]);
      return button.id;
    },
    read: async (id) => {
      const [row] = await db.query<{ user: string }>('SELECT user_id AS user FROM buttons WHERE id = $1', [
        id,
      ]);
      return (await db.buttons.peek(id, row?.user ?? '', NOW))?.payload;
    },
    value: { v: 1, d: { amount: '1', nested: [null, 'x'] } },
    unversioned: true,
  },
  'notices.payload': {
    id: 'id',
    write: async () => {
      const { user } = await storedPerson(db);
      const notice = noticeRow(user.id, { kind: 'final', payload: NOTICE });
      await db.notices.add([notice]);
      return notice.id;
    },
    read: async (id) => (await db.notices.find(id))?.payload,
    value: NOTICE,
  },
  'audit_log.details': {
    id: 'id::text',
    write: async () => {
      await db.auditLog.record(ownAct(newId(), NOW, 'withdrawal-confirmed', CONFIRMED));
      return String((await db.auditLog.list({}, { limit: 1, offset: 0 }))[0]?.id);
    },
    // An act that cannot be read keeps its name and hides nothing else of the trail.
    read: async (id) => {
      const acts = await db.auditLog.list({}, { limit: 1_000, offset: 0 });
      const act = acts.find((other) => String(other.id) === id);
      expect(act?.act).toBe('withdrawal-confirmed');
      if (act?.details !== null) return act?.details;
      return ACT_DETAILS['withdrawal-confirmed'].decode(id, await stored('audit_log.details', id));
    },
    value: CONFIRMED,
  },
  'api_key_requests.granted': {
    id: 'id',
    write: async () => {
      const request = requestRow();
      await db.keyRequests.insert(request);
      await db.keyRequests.change(request.id, ['unconfirmed'], { granted: GRANT });
      return request.id;
    },
    read: async (id) => (await db.keyRequests.find(id))?.granted,
    value: GRANT,
  },
  'mails.args': {
    id: 'id',
    write: async () => {
      const mail = mailRow();
      await db.mails.insert(mail);
      return mail.id;
    },
    read: async (id) => (await db.mails.find(id))?.args,
    value: mailRow().args,
  },
  'quarantines.report': {
    id: 'id',
    write: async () => {
      const id = newId();
      const store = createQuarantineStore(db.query);
      await store.enter({ id, reason: 'test', dataAsOf: NOW, enteredAt: NOW });
      await store.lift(id, NOW, { wallets: 1, seen: 5n, findings: [] });
      return id;
    },
    read: null,
    value: { wallets: 1, seen: 5n, findings: [] },
  },
  'created_tokens.spec': {
    id: 'mint',
    write: storedToken,
    read: async (id) => (await db.createdTokens.find(id as never))?.spec,
    value: SPEC,
  },
  'created_tokens.revocations': {
    id: 'mint',
    write: storedToken,
    read: async (id) => (await db.createdTokens.find(id as never))?.revocations,
    value: REVOCATIONS,
  },
  'point_redemptions.effect': {
    id: 'id',
    write: async () => {
      const { user } = await storedPerson(db);
      const id = newId();
      await db.shop.insert({
        id,
        userId: user.id,
        idemKey: id,
        item: 'fee-10-7',
        points: 800n,
        effect: EFFECT,
        startsAt: NOW,
        endsAt: NOW + 1,
        createdAt: NOW,
      });
      return id;
    },
    read: async (id) => (await db.shop.findByKey(id))?.effect,
    value: EFFECT,
  },
  'orders.terms': {
    id: 'id',
    write: storedOrder,
    read: async (id) => (await db.orders.find(id))?.orders[0]?.terms,
    value: ORDER.terms,
  },
  'orders.progress': {
    id: 'id',
    write: storedOrder,
    read: async (id) => (await db.orders.find(id))?.orders[0]?.progress,
    value: ORDER.progress,
  },
  'personal_keys.terms': {
    id: 'id',
    write: async () => {
      const { user, wallet } = await storedPerson(db);
      const key = { ...PERSONAL_KEY, id: newId(), userId: user.id, walletId: wallet.id };
      await db.personalKeys.insert(PASSED, key);
      return key.id;
    },
    read: async (id) => (await db.personalKeys.find(id))?.terms,
    value: PERSONAL_KEY.terms,
  },
  'copies.rules': {
    id: 'id',
    write: async () => (await storedCopy()).id,
    read: async (id) => (await db.copies.find(id))?.rules,
    value: COPY.rules,
  },
  'copy_trades.skip': {
    id: 'copy_id',
    write: async () => {
      const copy = await storedCopy();
      const skipped = { status: 'SKIPPED', skip: SKIP, intentId: null } as const;
      await db.copies.decide(copyTradeRow(copy, leaderTradeRow({ leader: copy.leader }), skipped));
      return copy.id;
    },
    read: async (id) => (await db.copies.latest(id, 1))[0]?.skip,
    value: SKIP,
  },
  'paper_copies.rules': {
    id: 'user_id',
    write: async () => (await storedPaper()).userId,
    read: async (id) => (await db.paperCopies.listByUser(id))[0]?.rules,
    value: COPY.rules,
  },
  'paper_copy_trades.skip': {
    id: 'user_id',
    write: async () => {
      const copy = await storedPaper();
      const trade = leaderTradeRow({ leader: copy.leader });
      await db.paperCopies.decide(
        paperTradeRow(copy, trade, { skip: SKIP, lamports: 0n, network: 0n, units: 0n }),
      );
      return copy.userId;
    },
    read: async (id) => {
      const [copy] = await db.paperCopies.listByUser(id);
      return copy === undefined ? undefined : (await db.paperCopies.trades(copy))[0]?.skip;
    },
    value: SKIP,
  },
  'trending_tokens.tokens': {
    id: 'hours',
    write: async () => {
      await trending().save(6, TRENDS, NOW);
      return '6';
    },
    read: async () => ({ trends: (await trending().load(6))?.trends }),
    value: { trends: TRENDS },
  },
};

async function storedPaper(): Promise<PaperCopy> {
  const { user, wallet } = await storedPerson(db);
  const paper = paperCopyRow({ userId: user.id, walletId: wallet.id }, { rules: COPY.rules });
  await db.paperCopies.begin(paper);
  return paper;
}

/** `@map("death_proof")` and the table's `@@map`, for every field of type Json in the schema. */
function jsonColumnsOfSchema(): readonly string[] {
  return [...prismaSchema().matchAll(/^model \w+ \{\n([\s\S]*?)^\}/gm)].flatMap(([, body = '']) => {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '?';
    return [...body.matchAll(/^ {2}(\w+) +Json\b(.*)$/gm)].map(
      ([, field, rest = '']) => `${table}.${/@map\("(\w+)"\)/.exec(rest)?.[1] ?? field}`,
    );
  });
}

const parts = (column: string) => column.split('.') as [table: string, column: string];
async function stored(column: string, id: string): Promise<Json> {
  const [table, name] = parts(column);
  const sql = `SELECT ${name} AS json FROM ${table} WHERE ${COLUMNS[column]?.id} = $1`;
  const [row] = await db.query<{ json: Json }>(sql, [id]);
  return row?.json ?? {};
}
async function put(column: string, id: string, json: unknown): Promise<void> {
  const [table, name] = parts(column);
  await db.query(`UPDATE ${table} SET ${name} = $2::jsonb WHERE ${COLUMNS[column]?.id} = $1`, [
    id,
    JSON.stringify(json),
  ]);
  if (table === 'outbox') await db.query('UPDATE outbox SET dispatched_at = NULL WHERE id = $1', [id]);
}

/** What the store says of the row: its value, or the refusal. */
async function readBack({ read }: Case, id: string): Promise<{ value: unknown } | { refused: Json }> {
  try {
    return { value: await read?.(id) };
  } catch (error) {
    if (!hasCode(error, 'ROW_INVALID')) throw error;
    return { refused: error.details };
  }
}

const readable = Object.entries(COLUMNS).filter(([, { read }]) => read !== null);

describe('jsonb columns', () => {
  it('have a codec each, and a line in this test', () => {
    expect(Object.keys(COLUMNS).toSorted()).toEqual(jsonColumnsOfSchema().toSorted());
  });

  it.each(Object.entries(COLUMNS))(
    '%s is written with its version and read as it was',
    async (column, test) => {
      const id = await test.write();
      expect((await stored(column, id))['v']).toBe(1);
      if (test.read !== null) expect(await test.read(id)).toEqual(test.value);
    },
  );

  it.each(readable)('%s of a row without a version is read', async (column, test) => {
    if (test.unversioned === true) return;
    const id = await test.write();
    const { v: _, ...older } = await stored(column, id);
    await put(column, id, older);
    expect(await readBack(test, id)).toEqual({ value: test.value });
  });

  it.each(readable)('%s of a later release is refused, and left as it is', async (column, test) => {
    if (test.unversioned === true) return;
    const id = await test.write();
    const later = { ...(await stored(column, id)), v: 2 };
    await put(column, id, later);
    const [table, name] = parts(column);
    expect(await readBack(test, id)).toMatchObject({ refused: { table, field: `${name}.v` } });
    expect(await stored(column, id)).toEqual(later);
  });

  it.each(readable)('%s with a field that nobody wrote is refused by its name', async (column, test) => {
    const id = await test.write();
    await put(column, id, { ...(await stored(column, id)), surprise: 'a secret value' });
    const [table, name] = parts(column);
    const answer = await readBack(test, id);
    expect(answer).toMatchObject({
      refused: { table, field: `${name}.surprise`, expected: 'no such field' },
    });
    expect(JSON.stringify(answer)).not.toContain('a secret value');
  });

  it.each(readable)('%s that is no object is refused', async (column, test) => {
    for (const json of ['text', 5, true, [], [{}]]) {
      const id = await test.write();
      // A check of the database holds this for revocations.
      const refusedBySql = await put(column, id, json).then(
        () => false,
        () => true,
      );
      if (!refusedBySql) expect(await readBack(test, id), JSON.stringify(json)).toHaveProperty('refused');
    }
  });

  it.each(readable)(
    '%s, mutated anywhere, is refused or read whole: nothing is dropped or made up',
    async (column, test) => {
      const id = await test.write();
      const good = await stored(column, id);
      const leaves = pathsOf(good).filter((path) => path[0] !== 'v' && path[0] !== 'd');
      if (leaves.length === 0) return;
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...leaves),
          fc.constantFrom<unknown>(
            null,
            'warp',
            '',
            -1,
            1.5,
            1e30,
            true,
            [],
            {},
            { $bigint: '7' },
            { $bigint: '07' },
          ),
          async (path, other) => {
            await put(column, id, replaced(good, path, other));
            const answer = await readBack(test, id);
            if ('refused' in answer) {
              expect(answer.refused['field']).toMatch(new RegExp(`^${parts(column)[1]}`));
              return;
            }
            // What was read says what is stored there, digits as bigints.
            expect(plain(at(answer.value, path))).toEqual(plain(other));
          },
        ),
        { numRuns: 60 },
      );
    },
  );
});

/** Paths of all that is not the inside of a tagged bigint. */
function pathsOf(json: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof json !== 'object' || json === null || '$bigint' in json) return [path];
  const inside = Object.entries(json).flatMap(([key, part]) => pathsOf(part, [...path, key]));
  return path.length === 0 ? inside : [path, ...inside];
}
function replaced(json: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  const copy: Record<string, unknown> = Array.isArray(json) ? ([...json] as never) : { ...(json as Json) };
  copy[key] = replaced(copy[key], rest, other);
  return copy;
}
function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inside, key) => (inside as Json | undefined)?.[key], value);
}
/** Tagged and real bigints alike. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'bigint' ? { $bigint: String(part) } : part,
    ),
  );
}

describe('intents in Postgres', () => {
  it.each(Object.entries(PARAMS_OF))('of kind %s come back as they were', async (kind, arbitrary) => {
    const { wallet } = await storedPerson(db);
    await fc.assert(
      fc.asyncProperty(
        arbitrary as fc.Arbitrary<IntentParams>,
        someOutcome,
        someTerms,
        async (params, outcome, terms) => {
          const intent = intentRow(wallet, { params, outcome, status: 'FAILED' });
          await db.intents.insert(intent);
          await db.intents.insertAttempt(attemptRow(intent, { terms, status: 'DEAD' }));
          expect(await db.intents.find(intent.id)).toEqual({ ...intent, kind });
          expect((await attemptOf(intent.id))?.terms).toEqual(terms);
        },
      ),
      { numRuns: 12 },
    );
  });

  /** A row of an earlier release has no `worth`. */
  const MAY_BE_ABSENT: ReadonlySet<string> = new Set(['v', 'prepared', 'worth']);
  it.each(Object.entries(PARAMS_OF))(
    'of kind %s without one of its fields are refused by its name',
    async (_, arbitrary) => {
      const params = one(arbitrary as fc.Arbitrary<IntentParams>);
      const { id } = await storedIntent(db, { params });
      const good = await stored('intents.params', id);
      for (const key of Object.keys(good).filter((name) => !MAY_BE_ABSENT.has(name))) {
        const { [key]: _gone, ...rest } = good;
        await put('intents.params', id, rest);
        await expect(db.intents.find(id), key).rejects.toMatchObject({
          code: 'ROW_INVALID',
          details: { table: 'intents', row: id, field: `params.${key}` },
        });
      }
    },
  );

  it('from before trades passed through other tokens pass through none', async () => {
    const { id } = await storedIntent(db, { params: PARAMS.sell });
    const { v: _, ...older } = await stored('intents.params', id);
    const terms = older['terms'] as { readonly route: readonly Json[] };
    const route = terms.route.map(({ from: _from, to: _to, ...leg }) => leg);
    await put('intents.params', id, { ...older, terms: { ...terms, route } });
    const read = (await db.intents.find(id))?.params;
    expect(read).toEqual(PARAMS.sell);
    expect(read?.kind === 'sell' ? intermediatesOfTerms(read.terms) : null).toEqual([]);
    // A row of this version must say it.
    await put('intents.params', id, { ...older, v: 1, terms: { ...terms, route } });
    await expect(db.intents.find(id)).rejects.toMatchObject({ code: 'ROW_INVALID' });
  });

  it('whose kind and params disagree are refused', async () => {
    const { id } = await storedIntent(db, { params: PARAMS.sell });
    await db.query(`UPDATE intents SET kind = 'withdraw-sol' WHERE id = $1`, [id]);
    await expect(db.intents.find(id)).rejects.toMatchObject({ details: { field: 'kind', expected: 'sell' } });
  });

  it.each([
    ['an unknown tier', { tier: 'warp' }, 'tier'],
    ['an unknown kind', { kind: 'drain' }, 'kind'],
    ['a number where a tagged amount belongs', { lamports: 5 }, 'lamports'],
    ['an exponent', { lamports: { $bigint: '1e9' } }, 'lamports'],
    ['a leading zero', { lamports: { $bigint: '007' } }, 'lamports'],
    ['more than 64 bits', { lamports: { $bigint: (2n ** 64n).toString() } }, 'lamports'],
    ['a negative amount', { lamports: { $bigint: '-1' } }, 'lamports'],
    ['a short address', { destination: 'abc' }, 'destination'],
    ['text for a flag', { everything: 'true' }, 'everything'],
  ])('with %s are refused', async (_title, patch, field) => {
    const { id } = await storedIntent(db);
    await put('intents.params', id, { ...(await stored('intents.params', id)), ...patch });
    await expect(db.intents.find(id)).rejects.toMatchObject({
      code: 'ROW_INVALID',
      details: { table: 'intents', row: id, field: `params.${field}` },
    });
  });

  it('are not written with what cannot be read back', async () => {
    const { wallet } = await storedPerson(db);
    const insert = (params: unknown) =>
      db.intents.insert(intentRow(wallet, { params: params as IntentParams }));
    await expect(insert({ ...PARAMS.withdrawSol, tier: 'warp' })).rejects.toMatchObject({
      code: 'ROW_INVALID',
    });
    await expect(insert({ ...PARAMS.withdrawSol, lamports: -1n })).rejects.toMatchObject({
      code: 'ROW_INVALID',
    });
    await expect(insert({ ...PARAMS.withdrawSol, more: 1 })).rejects.toMatchObject({
      details: { field: 'params.more', expected: 'no such field' },
    });
  });
});
