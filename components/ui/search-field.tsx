import { TextInput, type TextInputProps } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";

type Props = Omit<TextInputProps, "value" | "onChange"> & {
  "aria-label": string;
  value: string;
  onType: (typed: string) => void;
};

/** The field that searches a page: "/" leads to it. */
export function SearchField({ onType, ...props }: Props) {
  return (
    <TextInput
      type="search"
      maxLength={200}
      leftSection={<IconSearch size={14} aria-hidden />}
      data-page-search
      {...props}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}
