import type { z } from 'zod';
import type { HostDeps } from '../../compose/api-deps.ts';
import type { Declared } from '../../modules/guard/rules/acts.ts';
import type { ApiKey, ApiScope } from '../../modules/keys/store/api-key-store-port.ts';
import type { SignedText } from '../../modules/personal-keys/rules/keyed-trade.ts';
import type { PersonalKey, Right } from '../../modules/personal-keys/rules/personal-key.ts';
import type { Envelope } from './envelope.ts';
import type { Detail } from './errors/api-error.ts';
import type { ApiCode } from './errors/catalogue.ts';
import type { Allowance } from './limits/token-bucket.ts';

/** A handler's facts about its caller. */
export type Caller = {
  /** `key:<id>`, `program:<id>` of a personal key, or `ip:<address or /64>`: whose requests these are. */
  readonly id: string;
  /** The most that this caller may ask for as a referrer fee. */
  readonly maxReferrerFeeBps: number;
  /** One more file is stored for this caller. Throws 429 when they have had as many as they may. */
  readonly takeStorage: () => void;
  /** Whether an answer that goes on may go on: the key was neither revoked nor has it expired. Missing where no key is asked for. */
  readonly mayStay?: () => Promise<boolean>;
  /** On the pro host: the key, its owner, and the limits of its account. */
  readonly key?: Pick<ApiKey, 'id' | 'account' | 'email' | 'ratePerSecond' | 'burst'>;
  /** On a signed route: the personal key that signed this request. */
  readonly personalKey?: PersonalKey;
  /** On a signed route: the signed bytes and the headers about them, for the signer, which believes this process nothing. */
  readonly signedText?: SignedText;
};

/** The scope that a key needs on a path; `any`: every valid key is let in; `none`: no key is asked for, and no pause of the API counts. */
export type RouteScope = ApiScope | 'any' | 'none';

/** One endpoint: the schemas that check it are those that the OpenAPI document shows. */
export type Route<Input = unknown> = {
  /** The act of a request. */
  readonly act: Declared;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `pro`: served by that host alone. `charts`: by the open host and by that one. Absent: by the open and the pro host. */
  readonly host?: 'pro' | 'charts';
  /** Asked of keys on the pro host; the open host has none. */
  readonly scope: RouteScope;
  /**
   * Takes requests that a personal key with this right signed, and no other: no API key, and no page of another origin. Served only where
   * personal keys are on. No proxy keeps its answers.
   */
  readonly signed?: Right;
  /** Takes an `Idempotency-Key` header: asked again, it gives the first answer. */
  readonly idempotent?: boolean;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Fields of the input that are in the path, as `:name` there. */
  readonly pathFields?: readonly string[];
  /** Fields of the input that are headers of the request, with the headers' names. */
  readonly headerFields?: Readonly<Record<string, string>>;
  /** Answers with server-sent events, of which `output` is the first kind. */
  readonly streams?: true;
  /** How an answer is wrapped: `{data}` when left out. See `envelope.ts`. */
  readonly envelope?: Envelope;
  /** The allowance of a keyless caller on this route, counted apart from the host's. */
  readonly allowance?: Allowance;
  /** Market data as the specification has it: marked as deprecated, closed to blocked clients. The path of its replacement. */
  readonly deprecated?: (input: Input) => string;
  /** Its callers are counted, and blocked for good when they ask too often; see `limits/order-book-guard.ts`. */
  readonly guarded?: true;
  /** The place of the input: a JSON body, or the query. */
  readonly input: { readonly in: 'body' | 'query'; readonly name: string; readonly schema: z.ZodType<Input> };
  readonly output: { readonly name: string; readonly schema: z.ZodType; readonly example: unknown };
  readonly inputExample: Readonly<Record<string, unknown>>;
  /** The code of each field's own faults. */
  readonly codes: Readonly<Record<string, string>>;
  /** Codes of its own beside those of its fields, of the gate and of every path; see `openapi/codes-of.ts`. */
  readonly errors?: readonly ApiCode[];
  /** Faults that no single field shows; run beside the schema, so that all are reported at once. */
  readonly across: (raw: Readonly<Record<string, unknown>>, caller: Caller) => readonly Detail[];
  /** Answers with `data`, or with an `Answer` that says more than that. Throws AppError and ApiError. */
  readonly handle: (deps: HostDeps, input: Input, caller: Caller) => Promise<unknown>;
  /** The same request with a query parameter set to `true`: another, lesser answer. Takes no Idempotency-Key. */
  readonly variant?: RouteVariant<Input>;
  /** Which field an address came from, so that an error about it can name the field. */
  readonly fieldsOf: (input: Input) => Readonly<Record<string, string>>;
};

export type RouteVariant<Input = unknown> = {
  readonly parameter: string;
  readonly description: string;
  readonly output: { readonly name: string; readonly schema: z.ZodType };
  readonly handle: (deps: HostDeps, input: Input) => Promise<unknown>;
};

/** Keeps the input's type between schema and handler; the registry holds routes of many inputs. */
export function route<Input>(definition: Route<Input>): Route {
  return definition as unknown as Route;
}
