import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../context.ts';
import { downloadFile } from '../download-file.ts';
import type { Secret } from './prompts.ts';

/** A backup file has some 500 bytes, a key file some 250. */
const MAX_BYTES = 4_096;

/** The text of an answer, be it typed or sent as a small file. Throws BACKUP_UNREADABLE for a large one. */
export async function readSecret(
  { options }: Pick<FeatureDeps, 'options'>,
  ctx: BotContext,
  secret: Secret,
): Promise<string> {
  if (secret.kind === 'text') return secret.text.trim();
  const malformed = new AppError('BACKUP_UNREADABLE', { reason: 'format' });
  if (secret.bytes > MAX_BYTES) throw malformed;
  const bytes = await downloadFile({ options }, ctx.api, secret.fileId, MAX_BYTES);
  if (bytes === null) throw malformed;
  return new TextDecoder().decode(bytes).trim();
}
