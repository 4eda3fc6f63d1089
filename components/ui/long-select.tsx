import { type ComboboxItem, Select, type SelectProps } from "@mantine/core";
import { firstOptions } from "./first-options";

type Props = Omit<SelectProps, "data" | "filter" | "limit"> & { data: ComboboxItem[] };

/** One of any number of options: more than can be listed are found by typing, and the list says that there are more. */
export function LongSelect(props: Props) {
  return <Select {...props} filter={firstOptions} />;
}
