import { formatCount, formatTokens } from "./format";

type Props = { input: number; output: number; className?: string };

/** "61.8k"; the two directions on hover. Nothing before the first call. */
export function TokensCount({ input, output, className }: Props) {
  if (input + output === 0) return null;
  return (
    <span className={className} title={`${formatCount(input)} in, ${formatCount(output)} out`}>
      {formatTokens(input + output)}
    </span>
  );
}
