import { AppError } from './app-error.ts';

/** Where something was to listen, and the variables that say so. */
export type Place = {
  /** The part that cannot start: `the REST API`. */
  readonly what: string;
  readonly port: number;
  readonly portVariable: string;
  /** The advice for a port that is taken. */
  readonly another: string;
  readonly host: string;
  readonly hostVariable: string;
};

/** CONFIG_INVALID with the variable and the mend, where the address is at fault; else the error as it is. */
export function listenProblem(error: unknown, place: Place): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const problem = wordsFor(code, place);
  return problem === null ? error : new AppError('CONFIG_INVALID', { problems: [problem] }, { cause: error });
}

function wordsFor(
  code: unknown,
  { what, port, portVariable, another, host, hostVariable }: Place,
): string | null {
  switch (code) {
    case 'EADDRINUSE':
      return `${portVariable}: port ${port} is taken, so ${what} cannot start. ${another}`;
    case 'EACCES':
      return `${portVariable}: this user may not listen at port ${port}, so ${what} cannot start. Take one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${hostVariable}: ${host} is no address of this machine, so ${what} cannot start. Take 127.0.0.1, or 0.0.0.0 for all of them.`;
    default:
      return null;
  }
}
