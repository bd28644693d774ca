/** A folder of the program, and the variable that names it; null where none does. */
export type FolderPlace = { readonly path: string; readonly variable: string | null };

/**
 * The sentence for a folder that the program cannot write: its path, the cause, and the mend. The error's own path comes first, because it
 * may be deeper. Null for an error that is none of the file system's.
 */
export function fileProblem(error: unknown, { path, variable }: FolderPlace): string | null {
  if (!(error instanceof Error)) return null;
  if (!('code' in error)) return fileProblem(error.cause, { path, variable });
  // A port that this user may not have: `listenProblem` names that.
  if ('syscall' in error && error.syscall === 'listen') return null;
  const where = 'path' in error && typeof error.path === 'string' ? error.path : path;
  const other = variable === null ? 'name another folder' : `name another folder in ${variable}`;
  const sentence = sentenceOf(String(error.code), where, other);
  return sentence === null || variable === null ? sentence : `${variable}: ${sentence}`;
}

function sentenceOf(code: string, where: string, other: string): string | null {
  switch (code) {
    case 'EROFS':
      return `${where} cannot be written, because its file system is read-only. Make it writable, or ${other}.`;
    case 'EACCES':
    case 'EPERM':
      return `this user may not write ${where}. Give it the right, or ${other}.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `the disk of ${where} is full. Make room there, or ${other}.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${where} is no folder. Move that file away, or ${other}.`;
    case 'EMFILE':
    case 'ENFILE':
      return `too many files are open to open ${where}. Raise the limit (ulimit -n).`;
    default:
      return null;
  }
}
