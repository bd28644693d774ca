import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredFile } from './core/files.ts';
import { imageKind } from './core/image-kind.ts';
import type { ChatSnapshot, ServerSnapshot } from './core/snapshot.ts';
import type { TelegramCore } from './core/telegram-core.ts';
import { CHAT, SERVER } from './patch.ts';
import {
  openStateFile,
  parseJson,
  readIfThere,
  readStateFile,
  replaceFile,
  type StateFile,
} from './state-file.ts';

type SavedState = { readonly server: ServerSnapshot; readonly chats: readonly ChatSnapshot[] };

export interface Store {
  readonly token: string;
  readonly saved: SavedState | undefined;
  readonly savedFiles: readonly StoredFile[];
  /** Asks for a chat (0: the rest) to be saved some milliseconds from now. */
  readonly touch: (chatId: number) => void;
  /** From here on saves read from this core. */
  readonly attach: (core: TelegramCore) => void;
  /** Saves the outstanding changes and ends. */
  readonly close: () => Promise<void>;
}

/** How much may be lost to a kill: changes are gathered this long before they are written. */
const GATHER_MS = 20;

/**
 * One file per chat, one for the rest, to which changes are appended; one pair per upload. A file's beginning is written beside its place
 * and renamed into it. So a killed process leaves the old or the new version, and of a change all or nothing.
 */
export async function openStore(dir: string, makeToken: () => string): Promise<Store> {
  const chatsDir = join(dir, 'chats');
  const filesDir = join(dir, 'files');
  for (const folder of [dir, chatsDir, filesDir]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const token = await readToken(join(dir, 'token'), makeToken);
  const saved = await readState(dir, chatsDir);
  const savedFiles = await readFiles(filesDir);

  const dirty = new Set<number>();
  const server = openStateFile(join(dir, 'server'), SERVER);
  const chats = new Map<number, StateFile<ChatSnapshot>>();
  const written = new Set(savedFiles.map((file) => file.id));
  let core: TelegramCore | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    if (core === undefined) return;
    const ids = [...dirty];
    dirty.clear();
    await syncFiles(filesDir, core.world.files.all(), written);
    for (const id of ids) {
      if (id === 0) {
        await server.write(core.snapshotServer());
        continue;
      }
      const state = core.snapshotChat(id);
      if (state === undefined) continue;
      const file = chats.get(id) ?? openStateFile(join(chatsDir, String(id)), CHAT);
      chats.set(id, file);
      await file.write(state);
    }
  }
  let isClosed = false;
  const schedule = () => {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      running = running.then(flush);
    }, GATHER_MS);
  };

  return {
    token,
    saved,
    savedFiles,
    touch: (chatId) => {
      dirty.add(chatId);
      // Message ids are counted in the server's file: it must never fall behind a chat's.
      dirty.add(0);
      schedule();
    },
    attach: (given) => {
      core = given;
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      timer = undefined;
      running = running.then(flush);
      await running;
    },
  };
}

/** The bot token is the one secret here: its holder can read every chat. Only its owner may read the file. */
async function readToken(path: string, makeToken: () => string): Promise<string> {
  const found = await readIfThere(path);
  if (found !== undefined && /^\d+:[A-Za-z0-9_-]{35}$/.test(found.trim())) return found.trim();
  const token = makeToken();
  await writeFile(path, `${token}\n`, { mode: 0o600 });
  return token;
}

async function readState(dir: string, chatsDir: string): Promise<SavedState | undefined> {
  const server = await readStateFile(join(dir, 'server'), SERVER);
  if (server === undefined) return undefined;
  const chats: ChatSnapshot[] = [];
  const names = (await readdir(chatsDir)).map((name) => /^(.+)\.jsonl?$/.exec(name)?.[1] ?? '');
  for (const name of new Set(names)) {
    if (name === '') continue;
    const chat = await readStateFile(join(chatsDir, name), CHAT);
    if (chat !== undefined) chats.push(chat);
  }
  chats.sort((a, b) => a.user.id - b.user.id);
  return { server, chats };
}

async function readFiles(dir: string): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = [];
  for (const name of await readdir(dir)) {
    if (!name.endsWith('.json')) continue;
    const meta = parseJson<Pick<StoredFile, 'id' | 'uniqueId' | 'name' | 'path'>>(
      await readIfThere(join(dir, name)),
    );
    const bytes = await readFile(join(dir, name.replace(/json$/, 'bin'))).catch(() => undefined);
    if (meta !== undefined && bytes !== undefined) files.push({ ...meta, bytes, image: imageKind(bytes) });
  }
  return files;
}

async function syncFiles(dir: string, files: readonly StoredFile[], written: Set<string>): Promise<void> {
  const kept = new Set(files.map((file) => file.id));
  for (const file of files) {
    if (written.has(file.id)) continue;
    const { id, uniqueId, name, path } = file;
    await replaceFile(join(dir, `${id}.bin`), file.bytes);
    await replaceFile(join(dir, `${id}.json`), JSON.stringify({ id, uniqueId, name, path }));
    written.add(id);
  }
  for (const id of written) {
    if (kept.has(id)) continue;
    written.delete(id);
    await rm(join(dir, `${id}.json`), { force: true });
    await rm(join(dir, `${id}.bin`), { force: true });
  }
}
