import { z } from 'zod';
import { mapValues } from '../../../core/records.ts';
import type { Detail } from '../../../platform/http/errors/api-error.ts';
import { submittable, unitsText } from '../../market/api/fields.ts';
import { isDocumentLink } from '../rules/check-text.ts';
import { planToken } from '../rules/plan-token.ts';
import type { TokenProblem } from '../rules/problem.ts';
import type { TokenDraft } from '../rules/token-draft.ts';
import { problemText } from './token-problem-text.ts';

/**
 * The schema checks JSON types alone and shows the limits to readers. Every rule is in the planner, which the chat asks as well. Text is
 * capped here at a length that no rule allows, so that nothing large is carried around.
 */
const text = (description: string, meta: Readonly<Record<string, unknown>> = {}) =>
  z
    .string({ error: 'expected a string' })
    .max(4_096, { error: 'expected a shorter string' })
    .meta({ description, ...meta })
    .optional();
const number = (description: string, meta: Readonly<Record<string, unknown>> = {}) =>
  z
    .number({ error: 'expected a number' })
    .meta({ description, ...meta })
    .optional();
const flag = (description: string) =>
  z.boolean({ error: 'expected true or false' }).describe(description).optional();
const link = (site: string) => text(`link to the token's ${site}`);
const AN_OBJECT = 'expected an object with the documented fields only';

export const tokenRequest = z.strictObject({
  payer: z
    .string({ error: 'expected a base58 address of 32 bytes' })
    .max(64, { error: 'expected a base58 address of 32 bytes' })
    .describe('public key of the payer, who signs, pays and holds the authorities that are kept'),
  symbol: z
    .string({ error: 'expected a string' })
    .max(4_096, { error: 'expected at most 10 bytes of UTF-8' })
    .describe('token symbol, at most 10 bytes'),
  newMint: text('public key for the mint, which must sign too; a new one is generated when omitted'),
  name: text('token name, at most 32 bytes; the symbol when omitted'),
  metadataUri: text('URI of the metadata, at most 200 bytes; wins over `metadata` and is never fetched'),
  metadata: z
    .strictObject(
      {
        description: text('brief description'),
        imageUri: text('URL of the token image; never fetched'),
        extensions: z
          .strictObject(
            {
              discord: link('Discord'),
              telegram: link('Telegram'),
              twitter: link('Twitter'),
              website: link('website'),
            },
            { error: AN_OBJECT },
          )
          .optional(),
        tags: text('comma-separated tags'),
      },
      { error: AN_OBJECT },
    )
    .optional()
    .describe('what the metadata document says; stored and served by this service'),
  decimals: number('decimal places', { minimum: 0, maximum: 18, default: 6 }),
  mintSupply: text('total supply in whole tokens; must fit 64 bits in smallest units', {
    default: '1000000000',
  }),
  mintToPubkey: text('wallet that receives the supply; required with `mintSupply`, else the payer'),
  mintAuthority: flag('whether the payer keeps the mint authority; default true'),
  freezeAuthority: flag('whether the payer gets a freeze authority; default false'),
  program: text('"token" (standard) or "token2022" (extended)', {
    enum: ['token', 'token2022'],
    default: 'token',
  }),
  transferFeeConfigAuthority: text('token2022: who may change the transfer fee'),
  transferFeeWithdrawalAuthority: text('token2022: who may withdraw collected fees'),
  transferFeeBps: number('token2022: transfer fee in basis points', { minimum: 0, maximum: 10_000 }),
  transferFeeMax: text('token2022: maximum fee of one transfer, in smallest units'),
  permanentDelegate: text('token2022: delegate with permanent rights over every account'),
  defaultAccountState: z
    .strictObject(
      { state: text('state of new accounts', { enum: ['initialized', 'frozen'] }) },
      { error: AN_OBJECT },
    )
    .optional()
    .describe('token2022: state that accounts start in; frozen needs `freezeAuthority`'),
  interestBearingAuthority: text('token2022: who may change the interest rate'),
  interestBearingPercent: number('token2022: interest in percent a year, two decimals', {
    minimum: 0,
    maximum: 100,
  }),
  mintCloseAuthority: text('token2022: who may close the mint when no units are left'),
  nonTransferableMint: flag('token2022: whether tokens can never be transferred'),
});

export type TokenRequest = z.infer<typeof tokenRequest>;

/** The fields whose own fault is a wrong JSON type, each with the code for that. */
export const CODES: Readonly<Record<keyof TokenRequest, string>> = mapValues(
  tokenRequest.shape,
  (_, field) => (field === 'payer' ? 'ADDRESS_INVALID' : 'VALIDATION_FAILED'),
);

/** The planner's problems of the readable fields. Fields of a wrong type are reported by the schema, and are left out here. */
export function across(raw: Readonly<Record<string, unknown>>): readonly Detail[] {
  const readable = Object.fromEntries(
    Object.entries(tokenRequest.shape).flatMap(([field, schema]) => {
      const value = raw[field];
      return value !== undefined && schema.safeParse(value).success ? [[field, value] as const] : [];
    }),
  );
  // Whether a document is of this service, the planner asks where the address is known.
  const plan = planToken(draftOf({ payer: '', symbol: '', ...readable }), isDocumentLink);
  if (plan.kind === 'planned') return [];
  return plan.problems
    .map(detailOf)
    .filter(({ field }) => raw[field] === undefined || field in readable || field.includes('.'));
}

export function draftOf(request: TokenRequest): TokenDraft {
  // Zod writes optional fields as "or undefined"; the draft leaves absent ones out.
  return withoutUndefined(request) as TokenDraft;
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([key, part]: [string, unknown]) => [
        key,
        typeof part === 'object' && part !== null ? withoutUndefined(part) : part,
      ]),
  );
}

export function detailOf(problem: TokenProblem): Detail {
  return { field: problem.field, code: problem.code, message: problemText(problem) };
}

const tokenMint = z.object({
  address: z.string().describe('mint address'),
  name: z.string(),
  symbol: z.string(),
  decimals: z.number(),
  metadata: z.string().describe('URI of the metadata'),
  mintAuthority: z.string().describe('public key, or empty when it was given up or never given'),
  freezeAuthority: z.string().describe('public key, or empty when it was given up or never given'),
  mintSupply: z.string().describe('total minted, in whole tokens as in the request'),
  mintTo: z.string().describe('public key that receives the tokens'),
  program: z.enum(['token', 'token2022']),
  transferFeeConfigAuthority: z.string().optional(),
  transferFeeWithdrawalAuthority: z.string().optional(),
  transferFeeBps: z.number().optional(),
  transferFeeMax: z.string().optional(),
  permanentDelegate: z.string().optional(),
  defaultAccountState: z.object({ state: z.enum(['initialized', 'frozen']) }).optional(),
  interestBearingAuthority: z.string().optional(),
  interestBearingPercent: z.number().optional().describe('basis points, 0 to 10000'),
  mintCloseAuthority: z.string().optional(),
  nonTransferableMint: z.boolean().optional(),
});

export type TokenMint = z.infer<typeof tokenMint>;

export const tokenResponse = z.object({
  payer: z.string().describe('public key of the payer'),
  token: tokenMint,
  tx: z
    .string()
    .describe(
      'base58 of the serialized v0 transaction, signed by a generated mint, for the payer (and a mint of its own) to sign and submit',
    ),
  ...submittable,
  lastValidBlockHeight: z.string().describe('the transaction is worthless above this block height'),
  expiresAt: z.string().describe('ISO 8601 UTC; until about then the transaction is usable'),
  fees: z.object({
    networkFeeLamports: unitsText('signatures and priority fee'),
    rentLamports: unitsText('locked in the accounts that are opened'),
    metadataFeeLamports: unitsText("the metadata program's own fee"),
  }),
  powers: z
    .array(z.object({ code: z.string(), holder: z.string().nullable(), message: z.string() }))
    .describe('powers over the holders of this token'),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});
