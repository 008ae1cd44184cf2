/** Whether a stream is a terminal. */
interface Terminal {
  readonly isTTY: true;
  readonly columns: number;
  readonly rows: number;
}

export function isTerminal<S extends object>(stream: S): stream is S & Terminal {
  return 'isTTY' in stream && stream.isTTY === true;
}
