import { z } from 'zod';
import { isRecord } from '../../../core/records.ts';
import type { ShopEffect } from '../../../modules/points/rules/shop.ts';
import type { JobName, Jobs } from '../../ports/job-queue.ts';
import { decodeTagged, tagBigints } from '../codec.ts';
import { amount, count, exactly, rate, text } from './fields.ts';
import { type JsonColumn, jsonColumn, plainColumn } from './json-column.ts';

type Effects = { readonly [K in ShopEffect['kind']]: z.ZodType<Extract<ShopEffect, { kind: K }>, unknown> };
const EFFECTS: Effects = {
  'fee-discount': exactly({
    kind: z.literal('fee-discount'),
    bps: rate,
    days: count,
  }),
  'wallet-slot': exactly({ kind: z.literal('wallet-slot') }),
  'custom-code': exactly({ kind: z.literal('custom-code') }),
  badge: exactly({ kind: z.literal('badge') }),
  'sol-rebate': exactly({ kind: z.literal('sol-rebate'), lamports: amount }),
};
const effect = z.union(Object.values(EFFECTS));

/** The purpose of a redemption. */
export const EFFECT = jsonColumn<ShopEffect>('point_redemptions.effect', [effect, effect]);

const intentStep = exactly<Jobs['intent.step']>({ intentId: text });
const noticeSend = exactly<Jobs['notice.send']>({
  noticeId: text,
  // Rows that are older than version 0.2 do not name it.
  intentId: text.nullable().optional(),
});
const mailSend = exactly<Jobs['mail.send']>({ mailId: text });
const nothing = exactly<Record<never, never>>({});

const outbox = <T>(data: z.ZodType<T, unknown>): JsonColumn<T> => jsonColumn<T>('outbox.data', [data, data]);

/** By the job's name, which is in a column of its own. */
export const JOB_DATA: { readonly [N in JobName]: JsonColumn<Jobs[N]> } = {
  'builds.watch': outbox(nothing),
  'intent.step': outbox(intentStep),
  'notice.send': outbox(noticeSend),
  'mail.send': outbox(mailSend),
  'mail.sweep': outbox(nothing),
  'payout.collect': outbox(nothing),
  'launch.watch': outbox(nothing),
  'points.settle': outbox(nothing),
  'market.stats': outbox(nothing),
  'market.upkeep': outbox(nothing),
  'pools.refresh': outbox(nothing),
  'positions.keep': outbox(nothing),
  'retention.run': outbox(nothing),
  'sweep.run': outbox(nothing),
};

/**
 * A button's state carries the bot's own version, and the feature that the row names reads the inside: a state of another
 * release is an old button there, not a broken row.
 */
export const BUTTON = plainColumn<unknown>('buttons.payload', z.strictObject({ v: count, d: z.json() }));

/** Tagging keeps an object an object. */
const asRecord = (value: unknown) => (isRecord(value) ? value : {});

const report = z.codec(z.looseObject({}), z.looseObject({}), {
  decode: (stored) => asRecord(decodeTagged(stored)),
  encode: (value) => asRecord(tagBigints(value)),
});
/** The result of a reconciliation. Written for people; nothing reads it back. */
export const REPORT = jsonColumn<unknown>('quarantines.report', [report, report]);
