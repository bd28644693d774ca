/** `npm run ops -- <command>`: the operator's tools, each loaded when it is asked for. Each says what it did; exit code 1 = look at it, 2 = wrong use. */
import { loadProcessConfig } from '../src/config.ts';
import { describeFailure, runCommand } from './ops/run-command.ts';

runCommand(process.argv.slice(2), loadProcessConfig, (line) => void process.stdout.write(`${line}\n`)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const { text, code } = describeFailure(error);
    process.stderr.write(text);
    process.exit(code);
  },
);
