import { Menu } from "@mantine/core";
import { IconCopy, IconDots, IconTrash } from "@tabler/icons-react";

type Props = { onDuplicate: () => void; onDelete: () => void };

/** What is rarely done to the whole of what is edited. Deleting is asked about by the caller. */
export function MoreMenu({ onDuplicate, onDelete }: Props) {
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <button type="button" className="icon-btn" aria-label="More actions">
          <IconDots size={16} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy size={15} aria-hidden />} onClick={onDuplicate}>
          Duplicate
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={15} aria-hidden />} color="var(--st-failed)" onClick={onDelete}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
