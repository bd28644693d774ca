/** What every backup file of a wallet says of itself; see docs/backup-format.md. */
export const BACKUP_FORMAT = 'tradepost-wallet-backup';

/** Letters of the longest text that is read as a key or a backup file: far more than either has. */
export const MOST_KEY_TEXT = 16_384;

/** Whether a text is meant to be a backup file, whatever its version. */
export function isBackupText(text: string): boolean {
  return text.includes(BACKUP_FORMAT);
}
