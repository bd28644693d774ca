import type { Document, PhotoSize } from '@grammyjs/types';
import type { Upload } from '../args.ts';
import type { StoredFile } from '../files.ts';
import { badRequest } from '../tg-error.ts';
import type { World } from '../world.ts';

/** The `photo` array of a message from a file_id, an `attach://name` or a form file called `field`. */
export function photoContent(
  world: World,
  given: string | undefined,
  uploads: ReadonlyMap<string, Upload>,
  field: string,
): PhotoSize[] {
  const file = findFile(world, given, uploads, field, 'photos');
  if (file.image === undefined) throw badRequest('IMAGE_PROCESS_FAILED');
  const { width, height } = file.image;
  return [{ file_id: file.id, file_unique_id: file.uniqueId, width, height, file_size: file.bytes.length }];
}

/** The `document` of a message; same sources as `photoContent`. */
export function documentContent(
  world: World,
  given: string | undefined,
  uploads: ReadonlyMap<string, Upload>,
  field: string,
): Document {
  const file = findFile(world, given, uploads, field, 'documents');
  return {
    file_id: file.id,
    file_unique_id: file.uniqueId,
    file_name: file.name,
    mime_type: file.image?.mime ?? 'application/octet-stream',
    file_size: file.bytes.length,
  };
}

function findFile(
  world: World,
  given: string | undefined,
  uploads: ReadonlyMap<string, Upload>,
  field: string,
  kind: 'photos' | 'documents',
): StoredFile {
  const attached = given?.startsWith('attach://') ? uploads.get(given.slice('attach://'.length)) : undefined;
  const upload = attached ?? (given === undefined ? uploads.get(field) : undefined);
  if (upload !== undefined) return world.files.add(upload, kind);
  if (given === undefined || given === '') throw badRequest(`there is no ${field} in the request`);
  const file = world.files.get(given);
  // Telegram would download an address; this server reaches nothing outside.
  if (file === undefined) throw badRequest('wrong file identifier/HTTP URL specified');
  return file;
}
