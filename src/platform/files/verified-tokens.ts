import { readFileSync } from 'node:fs';
import { isAddress } from '@tradepost/solana';
import { z } from 'zod';
import { AppError } from '../../core/errors/app-error.ts';
import type { WellKnownToken } from '../../modules/tokens/rules/safety.ts';

const TOKENS = z
  .strictObject({
    mint: z.string().refine(isAddress, 'expected a base58 address of 32 bytes'),
    symbol: z.string().min(1).max(32),
  })
  .array()
  .max(10_000);

/** The tokens that the operator vouches for; none where no file is named. Throws CONFIG_INVALID with what is wrong in it. */
export function readVerifiedTokens(path: string | null): readonly WellKnownToken[] {
  if (path === null) return [];
  try {
    return TOKENS.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const why =
      cause instanceof z.ZodError
        ? cause.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
        : String(cause);
    const problems = [
      `VERIFIED_TOKENS_FILE: expected a JSON list of {"mint", "symbol"} in ${path}: ${why.slice(0, 300)}`,
    ];
    throw new AppError('CONFIG_INVALID', { problems }, { cause });
  }
}
