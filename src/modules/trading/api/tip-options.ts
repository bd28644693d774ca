import { z } from 'zod';
import type { ApiDeps } from '../../../compose/api-deps.ts';
import { ApiError, type Detail } from '../../../platform/http/errors/api-error.ts';
import type { SwapRequest } from '../use/swap-terms.ts';

const A_TIP = 'expected a whole number of lamports as a string, at most 1000000000';
const A_SENDER = 'expected a name of GET /dex/senders';
const MOST_TIP = 1_000_000_000n;

/** The tip of a swap, and the sender that gets it. */
export const tipFields = {
  tipLamports: z
    .string({ error: A_TIP })
    .regex(/^\d{1,10}$/, { error: A_TIP, abort: true })
    .refine((text) => BigInt(text) <= MOST_TIP, { error: A_TIP })
    .transform((text) => BigInt(text))
    .optional()
    .describe(
      'lamports that the last instruction pays to `sender`, which then takes the transaction; between its least tip and the operator’s cap, as `GET /dex/senders` says. None when left out',
    ),
  sender: z
    .string({ error: A_SENDER })
    .min(1, { error: A_SENDER })
    .max(32, { error: A_SENDER })
    .optional()
    .describe('whom the tip is for, by a name of `GET /dex/senders`; required with a tip'),
};

export const TIP_CODES = { tipLamports: 'TIP_INVALID', sender: 'SENDER_UNKNOWN' } as const;

/** Every refusal of a tip. */
export const TIP_ERRORS = ['SENDER_UNKNOWN', 'TIP_INVALID', 'TIP_TOO_SMALL'] as const;

/** That a tip names its sender. */
export function tipAcross(raw: Readonly<Record<string, unknown>>): readonly Detail[] {
  const tip = raw['tipLamports'];
  const isPaid = typeof tip === 'string' && /[1-9]/.test(tip);
  const isNamed = raw['sender'] !== undefined && raw['sender'] !== null;
  if (!isPaid || isNamed) return [];
  return [{ field: 'sender', code: 'FIELD_REQUIRED', message: `is required with a tip: ${A_SENDER}` }];
}

/** The tip of the body. Throws SENDER_UNKNOWN, TIP_TOO_SMALL with the least in its details, TIP_INVALID above the most. */
export function tipOf(
  { senders }: Pick<ApiDeps, 'senders'>,
  { sender, tipLamports: lamports = 0n }: z.infer<z.ZodObject<typeof tipFields>>,
): Pick<SwapRequest, 'tip'> {
  if (sender === undefined) return {};
  const asked = senders.tip({ sender, lamports });
  switch (asked.kind) {
    case 'none':
      return {};
    case 'tip':
      return { tip: asked.tip };
    case 'unknown':
      throw refusal('SENDER_UNKNOWN', `no sender ${sender}; expected ${asked.known.join(', ')}`, 'sender');
    case 'too-small':
      throw tipTooSmall({ sender, least: asked.least, paid: lamports }, 'tipLamports');
    case 'too-large':
      throw refusal('TIP_INVALID', `expected at most ${asked.most} lamports for ${sender}`, 'tipLamports');
  }
}

/** The refusal of a tip below the sender's least, which its details say alone too. */
export function tipTooSmall(
  { sender, least, paid }: { readonly sender: string; readonly least: bigint; readonly paid: bigint },
  field: string,
): ApiError {
  const message = `${sender} takes at least ${least} lamports; the tip is ${paid}`;
  return refusal('TIP_TOO_SMALL', message, field, [
    { field: '', code: 'LEAST_TIP', message: least.toString() },
  ]);
}

function refusal(
  code: 'SENDER_UNKNOWN' | 'TIP_INVALID' | 'TIP_TOO_SMALL',
  message: string,
  field: string,
  more: readonly Detail[] = [],
): ApiError {
  return new ApiError({ status: 400, code, message, field, details: [{ field, code, message }, ...more] });
}
