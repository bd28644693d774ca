import { openBox, sealBox } from '../src/platform/gcm-box.ts';
import { openFileJournal } from '../src/platform/journal/file-journal.ts';
import type { OpenLogFile } from '../src/platform/journal/log-file.ts';

const KEK = new Uint8Array(32).fill(7);

/** The signer's journal in a folder that need not be there, under a key of the bench. `openFile` is the disk's own where left out. */
export function openBenchJournal(folder: string, openFile?: OpenLogFile) {
  return openFileJournal({
    folder,
    box: {
      kekId: 'bench',
      wrap: async (key, bound) => sealBox(KEK, key, bound),
      unwrap: async (_id, box, bound) => openBox(KEK, box, bound),
    },
    installId: 'bench',
    database: { systemIdentifier: '7', timeline: 1 },
    now: Date.now,
    mayBegin: true,
    openFile,
  });
}
