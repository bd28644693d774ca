import { type Api, GrammyError } from 'grammy';
import type { FeatureDeps } from '../../compose/bot-deps.ts';

const TELEGRAM = 'https://api.telegram.org';

/**
 * The bytes of a file that a person sent. Null when Telegram does not hand it out or it has more than `maxBytes`, also against its stated
 * size: reading stops there.
 */
export async function downloadFile(
  { options }: Pick<FeatureDeps, 'options'>,
  api: Api,
  fileId: string,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const path = await filePath(api, fileId);
  if (path === null) return null;
  const response = await fetch(`${options.apiRoot ?? TELEGRAM}/file/bot${options.token}/${path}`).catch(
    // Its own message would name the address, which holds the bot's token.
    () => null,
  );
  if (response === null || !response.ok || response.body === null) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Null for a file that is larger than bots may have, and for one that Telegram forgot. */
async function filePath(api: Api, fileId: string): Promise<string | null> {
  try {
    return (await api.getFile(fileId)).file_path ?? null;
  } catch (error) {
    if (error instanceof GrammyError && error.error_code === 400) return null;
    throw error;
  }
}
