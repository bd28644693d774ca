/** `npm run ops -- key-request …`: requests for API keys without the chat. A running worker sends the mail within seconds. */

import { limitsAt } from '../../src/modules/keys/rules/key-limits.ts';
import type { KeyGrant, KeyRequest } from '../../src/modules/keys/rules/key-request.ts';
import { API_SCOPES } from '../../src/modules/keys/store/api-key-store-port.ts';
import { limitsText, proposedGrant } from '../../src/modules/keys/use/grant-of.ts';
import { grantRequest, type Review, refuseRequest } from '../../src/modules/keys/use/review-request.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import type { PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { operator } from './operator.ts';
import { UsageError } from './ops-error.ts';
import { oneOf, wholeNumber } from './read-values.ts';

const LISTED = 100;

type GrantOptions = Readonly<
  Record<'rate' | 'burst' | 'per-day' | 'referrer-bps' | 'scopes' | 'days', string | undefined>
>;

/** Requests that wait for an answer, oldest first. */
export async function listRequests(io: Io): Promise<number> {
  const { db, close } = await openDatabase(io);
  try {
    const waiting = await db.keyRequests.list('confirmed', LISTED);
    for (const request of waiting) io.print(lineOf(request));
    if (waiting.length === 0) io.print('No request waits.');
    return 0;
  } finally {
    await close();
  }
}

/** One request, in any state; 1 when there is none. */
export function showRequest(io: Io, id: string): Promise<number> {
  return withRequest(io, id, async (_db, request) => {
    io.print(describe(request, proposedGrant(request, io.config().api.keyMaxRate)));
    return 0;
  });
}

/** Grants the limits of the request's own numbers, with the operator's changes; 1 when it was decided already. */
export async function grantKeyRequest(io: Io, id: string, options: GrantOptions): Promise<number> {
  const change = changeOf(options);
  return withRequest(io, id, async (db, request) => {
    const granted = { ...proposedGrant(request, io.config().api.keyMaxRate), ...change };
    return told(await grantRequest(reviewDeps(db), { actor: operator() }, id, granted), io);
  });
}

/** Refuses; the asker reads the reason. 1 when it was decided already. */
export async function refuseKeyRequest(io: Io, id: string, text: string | undefined): Promise<number> {
  const reason = text?.trim() ?? '';
  if (reason === '') throw new UsageError('--reason: expected why; the asker reads it.');
  return withRequest(io, id, async (db) =>
    told(await refuseRequest(reviewDeps(db), { actor: operator() }, id, reason), io),
  );
}

async function withRequest(
  io: Io,
  id: string,
  work: (db: PrismaDatabase, request: KeyRequest) => Promise<number>,
): Promise<number> {
  const { db, close } = await openDatabase(io);
  try {
    const request = await db.keyRequests.find(id);
    if (request !== null) return await work(db, request);
    io.print(`There is no request ${id}: see "key-request list".`);
    return 1;
  } finally {
    await close();
  }
}

function reviewDeps(db: PrismaDatabase) {
  const clock = { now: () => Date.now() };
  return {
    db,
    operators: new Set<bigint>(),
    clock,
    ids: randomIds(clock.now),
    nudge: () => undefined,
  };
}

function told(review: Review | null, { print }: Io): 0 | 1 {
  if (review === null) return 1;
  const { request } = review;
  if (review.kind === 'decided') {
    const by = request.decidedBy === null ? '' : ` (by ${request.decidedBy})`;
    print(`Nothing done: this request is ${request.status}${by}.`);
    return 1;
  }
  const what = request.granted === null ? 'Refused' : `Granted ${limitsText(request.granted)}`;
  print(`${what}. The mail goes to ${request.email}.`);
  return 0;
}

/** The changes to the proposal in the options. Throws a UsageError. */
function changeOf(options: GrantOptions): Partial<KeyGrant> {
  const { rate, burst, days, scopes } = options;
  const perDay = options['per-day'];
  const bps = options['referrer-bps'];
  return {
    ...(rate === undefined ? {} : limitsAt(wholeNumber('--rate', rate, { min: 1, max: 100_000 }))),
    ...(burst === undefined ? {} : { burst: wholeNumber('--burst', burst, { min: 1, max: 100_000 }) }),
    ...(perDay === undefined
      ? {}
      : { dayQuota: wholeNumber('--per-day', perDay, { min: 1, max: 1_000_000_000 }) }),
    ...(bps === undefined
      ? {}
      : { maxReferrerFeeBps: wholeNumber('--referrer-bps', bps, { min: 0, max: 10_000 }) }),
    ...(days === undefined ? {} : { days: wholeNumber('--days', days, { min: 1, max: 36_500 }) }),
    ...(scopes === undefined
      ? {}
      : { scopes: scopes.split(',').map((word) => oneOf('--scopes', word, API_SCOPES)) }),
  };
}

function lineOf({ id, email, project, perDay, peakPerSecond, scopes }: KeyRequest): string {
  return `${id}  ${email}  ${project}  ${perDay} a day, peak ${peakPerSecond}/s  ${scopes.join(',')}`;
}

function describe(request: KeyRequest, proposed: KeyGrant): string {
  const { status, use, question, answer, reason, granted, keyId, decidedBy } = request;
  return [
    lineOf(request),
    `state      ${status}${decidedBy === null ? '' : ` (by ${decidedBy})`}`,
    `proposed   ${limitsText(proposed)}`,
    granted === null ? null : `granted    ${limitsText(granted)}`,
    keyId === null ? null : `key        ${keyId}`,
    reason === null ? null : `reason     ${reason}`,
    question === null ? null : `asked      ${question}`,
    answer === null ? null : `answer     ${answer}`,
    `use        ${use.replaceAll('\n', '\n           ')}`,
  ]
    .filter((line) => line !== null)
    .join('\n');
}
