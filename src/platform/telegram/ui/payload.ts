import type { z } from 'zod';
import { AppError } from '../../../core/errors/app-error.ts';
import type { TapState } from '../feature.ts';

/** A text of a button's payload. A button without it is of another make: BUTTON_STALE. */
export function textField(state: TapState | null, name: string): string {
  const value = field(state, name);
  if (typeof value !== 'string') throw new AppError('BUTTON_STALE', {});
  return value;
}

/** As `textField`, for a list of texts. */
export function textList(state: TapState | null, name: string): readonly string[] {
  const value = field(state, name);
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new AppError('BUTTON_STALE', {});
  }
  return value;
}

/** A text that may be missing. */
export function optionalField(state: TapState | null, name: string): string | null {
  const value = field(state, name);
  return typeof value === 'string' ? value : null;
}

function field(state: TapState | null, name: string): unknown {
  const payload = state?.payload;
  if (typeof payload !== 'object' || payload === null) return undefined;
  return Object.entries(payload).find(([key]) => key === name)?.[1];
}

/** A whole payload, a button's or a prompt's. One that is not of this make: BUTTON_STALE. */
export function payloadOf<T>(schema: z.ZodType<T, unknown>, payload: unknown): T {
  const read = schema.safeParse(payload);
  if (!read.success) throw new AppError('BUTTON_STALE', {});
  return read.data;
}
