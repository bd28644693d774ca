import { withPlainDigits } from '../../../core/text/digits.ts';
import { emailAddress } from '../../../core/text/email-address.ts';
import { API_SCOPES } from '../store/api-key-store-port.ts';
import type { StatedVolume } from './key-limits.ts';
import type { KeyRequestDraft } from './key-request.ts';

/** The fields as a form sends them. A ticked box is there, an empty one is not. */
export type FormFields = Readonly<Record<string, string | undefined>>;
export type KeyRequestField = 'email' | 'project' | 'use' | 'perDay' | 'peakPerSecond' | 'scopes';

export const PROJECT_MAX = 80;
export const USE_MIN = 20;
export const USE_MAX = 2_000;
export const PER_DAY_MAX = 100_000_000;
export const PEAK_MAX = 10_000;

/** The checked request, or every field that is not as expected. */
export function parseKeyRequest(
  fields: FormFields,
): { readonly draft: KeyRequestDraft } | { readonly wrong: ReadonlySet<KeyRequestField> } {
  const email = emailAddress(fields['email'] ?? '');
  const project = lineOf(fields['project'] ?? '');
  const use = textOf(fields['use'] ?? '');
  const volume = parseVolume(fields);
  const scopes = API_SCOPES.filter((scope) => fields[scope] !== undefined);
  const wrong = new Set<KeyRequestField>(volume.wrong);
  if (email === null) wrong.add('email');
  if (project.length < 1 || project.length > PROJECT_MAX) wrong.add('project');
  if (use.length < USE_MIN || use.length > USE_MAX) wrong.add('use');
  if (scopes.length === 0) wrong.add('scopes');
  if (wrong.size > 0 || email === null || volume.stated === null) return { wrong };
  return { draft: { email, project, use, scopes, ...volume.stated } };
}

/** The volume alone, for a preview of its limits. */
export function parseVolume(fields: FormFields): {
  readonly stated: StatedVolume | null;
  readonly wrong: ReadonlySet<'perDay' | 'peakPerSecond'>;
} {
  const perDay = wholeNumber(fields['perDay'], PER_DAY_MAX);
  const peakPerSecond = wholeNumber(fields['peakPerSecond'], PEAK_MAX);
  const wrong = new Set<'perDay' | 'peakPerSecond'>();
  if (perDay === null) wrong.add('perDay');
  if (peakPerSecond === null) wrong.add('peakPerSecond');
  return { stated: perDay === null || peakPerSecond === null ? null : { perDay, peakPerSecond }, wrong };
}

/** A whole number from 1 to `max` in plain digits; null for anything else (`1e99`, `-1`, `many`). */
export function wholeNumber(text: string | undefined, max: number): number | null {
  const digits = withPlainDigits(text ?? '');
  if (!/^\d{1,12}$/.test(digits)) return null;
  const number = Number(digits);
  return number >= 1 && number <= max ? number : null;
}

/**
 * Text that people read later, in a page, a mail and a chat card. It loses control characters, characters that turn the direction of
 * writing, and those that cannot be seen. The attack: a text that hides its end or fakes another line of the card.
 */
export function textOf(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replace(/[^\P{C}\n]|\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The same, on one line. */
function lineOf(text: string): string {
  return textOf(text).replace(/\s+/g, ' ');
}
