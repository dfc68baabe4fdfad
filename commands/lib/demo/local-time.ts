/** `2026-11-20_11-08-13`, the notation of recorders. */
export function localTime(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}_${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('-')}`;
}
