/** To the nearest whole number, ties to the even one: how IEEE 754 and PostgreSQL round doubles. */
export function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1;
}
