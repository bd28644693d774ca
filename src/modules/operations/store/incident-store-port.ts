import type { Incident, IncidentNote } from '../rules/incident.ts';

/** Incidents as operators tell them. */
export interface IncidentStore {
  /** With its notes, of which a new one has none. */
  open(incident: Omit<Incident, 'closedAt' | 'notes'>): Promise<void>;
  /** Adds a note, also to a closed one. False where there is no such incident. */
  note(id: string, note: IncidentNote & { readonly id: string }): Promise<boolean>;
  /** Closes it at `at` (epoch milliseconds). Null where there is no such incident; `closed` where it was so before. */
  close(id: string, at: number): Promise<'now' | 'before' | null>;
  /** Open ones, and those opened at `since` (epoch milliseconds) or later; newest first. */
  list(since: number): Promise<readonly Incident[]>;
}
