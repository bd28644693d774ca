/** The fields that every backup file of a wallet has; see docs/backup-format.md. */
export const BACKUP_FORMAT = 'tradepost-wallet-backup';

/** Letters of the longest text that is read as a key or a backup file: far more than either has. */
export const MOST_KEY_TEXT = 16_384;

/** Whether a text is meant to be a backup file of any version. */
export function isBackupText(text: string): boolean {
  return text.includes(BACKUP_FORMAT);
}
