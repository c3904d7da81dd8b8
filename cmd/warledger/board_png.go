package main

import (
	"bytes"
	"errors"
	"os"

	"github.com/warledger/warledger/clients/raster"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// picture writes the board as a PNG file.
func (c boardCmd) picture(a *app, resp *v1.GetBoardResponse) error {
	o := raster.Options{Around: c.Centre, Radius: c.Radius, Scale: c.Scale, Spaces: c.Mark, Pieces: c.Mark,
		MapOnly: c.Bare}
	img, err := raster.Draw(resp.Board, resp.Board.Map, o)
	if errors.Is(err, raster.ErrNoSpace) || errors.Is(err, raster.ErrTooLarge) {
		return usageError{err.Error()}
	}
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := raster.EncodePNG(&file, img); err != nil {
		return err
	}
	if c.PNG == "-" {
		_, err = a.out.Write(file.Bytes())
		return err
	}
	if err := os.WriteFile(c.PNG, file.Bytes(), 0o644); err != nil {
		return err
	}
	a.say("%s: version %d, %d by %d pixels, %d bytes.\n",
		c.PNG, resp.Version, img.Bounds().Dx(), img.Bounds().Dy(), file.Len())
	return nil
}
