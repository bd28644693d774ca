import type { Upload } from './args.ts';
import { type ImageKind, imageKind } from './image-kind.ts';
import { badRequest } from './tg-error.ts';

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_FILES = 1000;

/** An uploaded file. `id` is the API's file_id; bytes never change. */
export type StoredFile = {
  readonly id: string;
  readonly uniqueId: string;
  readonly name: string;
  /** Path below `/file/bot<token>/`. */
  readonly path: string;
  readonly image: ImageKind | undefined;
  readonly bytes: Uint8Array;
};

export interface FileShelf {
  readonly add: (upload: Upload, kind: 'photos' | 'documents') => StoredFile;
  readonly get: (id: string) => StoredFile | undefined;
  readonly byPath: (path: string) => StoredFile | undefined;
  readonly all: () => readonly StoredFile[];
  readonly restore: (file: StoredFile) => void;
  readonly clear: () => void;
}

/** Keeps the newest thousand files. `random` gives unguessable text of the length asked for. */
export function createFileShelf(random: (length: number) => string): FileShelf {
  const files = new Map<string, StoredFile>();
  const byPath = new Map<string, StoredFile>();
  const keep = (file: StoredFile) => {
    files.set(file.id, file);
    byPath.set(file.path, file);
    if (files.size <= MAX_FILES) return;
    const oldest = files.values().next().value;
    if (oldest === undefined) return;
    files.delete(oldest.id);
    byPath.delete(oldest.path);
  };
  return {
    add: (upload, kind) => {
      if (upload.bytes.length === 0) throw badRequest('file must be non-empty');
      if (upload.bytes.length > MAX_FILE_BYTES) throw badRequest('file is too big');
      const image = imageKind(upload.bytes);
      if (kind === 'photos' && image === undefined) throw badRequest('IMAGE_PROCESS_FAILED');
      const uniqueId = random(16);
      const extension = image?.extension ?? 'bin';
      const path = `${kind}/file_${uniqueId}.${extension}`;
      const file = {
        id: `AgAC${random(40)}`,
        uniqueId,
        name: upload.filename,
        path,
        image,
        bytes: upload.bytes,
      };
      keep(file);
      return file;
    },
    get: (id) => files.get(id),
    byPath: (path) => byPath.get(path),
    all: () => [...files.values()],
    restore: keep,
    clear: () => {
      files.clear();
      byPath.clear();
    },
  };
}
