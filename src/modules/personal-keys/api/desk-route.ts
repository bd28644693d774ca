import type { ApiDeps } from '../../../compose/api-deps.ts';
import type { Caller, Route } from '../../../platform/http/route.ts';
import type { SignedText } from '../rules/keyed-trade.ts';
import type { PersonalKey } from '../rules/personal-key.ts';
import type { ProgramDesk } from '../use/program-desk.ts';

/** Shared by the routes that personal keys with the right `read` may ask. */
export const DESK_READ = {
  act: 'reads',
  method: 'GET',
  host: 'pro',
  scope: 'any',
  signed: 'read',
  across: () => [],
  fieldsOf: () => ({}),
} as const satisfies Partial<Route>;

/** The desk, and the key that signed this request. */
export function signedBy(
  { programDesk }: Pick<ApiDeps, 'programDesk'>,
  { personalKey, signedText }: Caller,
): { readonly desk: ProgramDesk; readonly key: PersonalKey; readonly signed: SignedText } {
  if (programDesk === null || personalKey === undefined || signedText === undefined)
    throw new Error('a signed route was asked without a key');
  return { desk: programDesk, key: personalKey, signed: signedText };
}
