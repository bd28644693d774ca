import { AppError } from '../../core/errors/app-error.ts';
import type { BotContext } from '../context.ts';
import type { FeatureDeps } from '../deps.ts';
import type { Secret } from './prompts.ts';

/** A backup file has some 500 bytes, a key file some 250. */
const MAX_BYTES = 4_096;
const TELEGRAM = 'https://api.telegram.org';

/** The text of an answer, be it typed or sent as a small file. Throws BACKUP_UNREADABLE for a large one. */
export async function readSecret(
  { options }: Pick<FeatureDeps, 'options'>,
  ctx: BotContext,
  secret: Secret,
): Promise<string> {
  if (secret.kind === 'text') return secret.text.trim();
  const malformed = new AppError('BACKUP_UNREADABLE', { reason: 'format' });
  if (secret.bytes > MAX_BYTES) throw malformed;
  const { file_path } = await ctx.api.getFile(secret.fileId);
  if (file_path === undefined) throw malformed;
  const response = await fetch(`${options.apiRoot ?? TELEGRAM}/file/bot${options.token}/${file_path}`).catch(
    // Its own message would name the address, which holds the bot's token.
    () => null,
  );
  if (response === null || !response.ok) throw malformed;
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > MAX_BYTES) throw malformed;
  return new TextDecoder().decode(bytes).trim();
}
