import type { ExportEnd, KeyExport } from '../../guard/rules/key-export.ts';
import type { Passed } from '../../guard/rules/passed.ts';

/** Keys on their way out. Written by the signer's use cases alone; everybody else reads. */
export interface ExportStore {
  find(id: string): Promise<KeyExport | null>;
  /** The person's, the newest first: those that were asked for at or after `since`, and one that has no end yet, whenever that was. */
  listByUser(userId: string, since: number): Promise<readonly KeyExport[]>;
  /** Those without an end that may be taken until after `now`, at most `limit`, the oldest first. */
  listOpen(now: number, limit: number): Promise<readonly KeyExport[]>;
  /** Refused when the person has one without an end. */
  insert(passed: Passed<'export-ask'>, asked: KeyExport): Promise<void>;
  /** Writes the end of one that has none. False, and nothing changed, when it has. */
  end(
    passed: Passed<'export-ask' | 'export-take' | 'export-stop'>,
    id: string,
    end: ExportEnd,
  ): Promise<boolean>;
}
